"""Texts, and the pages that they stand on: what every stage that reads goes by.

1. `tree` parses a page, once; `page_model` lists its elements, references and texts, each once for all stages;
   `visible` is the text of an element as a reader sees it.
2. `folding` gives one spelling to what is the same word.
3. `scripts` says which characters make words, and which scripts put no space between them; `segments` cuts those.
4. `terms` makes words and terms of a text: `stopwords` has the words that say nothing, `words` cuts others to stems.
5. `language` says which language a text is in.
6. `dates` reads dates as pages write them: `days` says which day is meant, `hours` the time beside it,
   `date_wording` the ways of many sites, `months` the words of many languages. `prose_dates` finds the days that a
   text speaks of.
7. `counts` knows the words beside numbers that count what people wrote.
"""
