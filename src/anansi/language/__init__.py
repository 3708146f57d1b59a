"""Language: what a text is in, and what it is made of, for every stage that reads prose.

1. `folding` gives one spelling to what is the same word.
2. `scripts` says which characters make words, and which scripts put no space between them; `segments` cuts those.
3. `terms` makes words and terms of a text: `stopwords` has the words that say nothing, `words` cuts others to stems.
4. `identify` says which language a text is in.
5. `months` has the words of dates, `dates` finds the days that a text speaks of.
"""
