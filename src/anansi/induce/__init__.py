"""Where author, date, title and text stand in markup that nobody described: one set of judges for all who ask.

1. `names` knows what templates call things.
2. `page_text` is a page as one run of characters; `page` is a page that rules are tried on.
3. `numbered` finds objects by their numbers, `runs` those that no element holds.
4. `judges` say what values look like.
5. `study` looks at several pages together, `evidence` says what speaks for values there, `foreign_text` what stands
   in texts and is not theirs.
6. `expressions` makes expressions of the fragment out of elements.
"""
