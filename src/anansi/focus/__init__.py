"""Focus: what the archive is about in, scores for pages and links out.

1. `definition` makes what `crawl.yaml` says under `focus` ready: term vectors for every language, names, patterns.
2. `entities` finds all names in a text in one pass; `events` says whether it speaks of an event, by name, or by
   place, actors and time together.
3. `languages` scores a text by its language, `addresses` a URL by its looks.
4. `spam` says what is worth nothing whatever it says: the blacklist, stuffed pages, hidden words, link farms.
5. `names` finds names that nobody listed, by a model that is not installed by default.
6. Every one of them gives a score from 0 to 1 with its evidence (`verdict`).
"""
