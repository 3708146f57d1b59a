"""Where author, date, title and text stand in markup that nobody described: one set of judges for all who ask.

    objects(pages, read_date)   what to take from pages that are built alike: actions, each with its confidence
    judge(name, values)         how much values look like a property, from 0 to 1, and why

1. `outline` is a page as places with texts, `page_text` the same as one run of characters; `page` is one that rules
   are tried on.
2. `blocks` finds the objects of pages by what repeats on them, `numbered` by their numbers, `runs` those that no
   element holds.
3. `names` knows what templates call things; `judges` say what values look like, on one page and over several.
4. `fields` finds which places of blocks are date, author and text; `objects` puts that together, and `actions` writes
   it in the words of the knowledge base.
5. `study` holds the objects of several pages against rules of a type; `evidence` says what speaks for what they find,
   `foreign_text` what stands in texts and is not theirs.
6. `expressions` makes expressions of the fragment out of elements, `place_expressions` out of places.
"""
