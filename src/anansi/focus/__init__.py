"""Focus: what the archive is about in, scores for pages and links out.

What is sought:

1. `definition` makes what `crawl.yaml` says under `focus` ready: term vectors for every language, names, patterns.
2. `entities` finds all names in a text in one pass; `events` says whether it speaks of an event, by name, or by
   place, actors and time together.
3. `languages` scores a text by its language, `addresses` a URL by its looks.
4. `spam` says what is worth nothing whatever it says: the blacklist, stuffed pages, hidden words, link farms.
5. `names` finds names that nobody listed, by a model that is not installed by default.
6. Every one of them gives a score from 0 to 1 with its evidence (`verdict`).

What is found:

7. `judging` asks the modules about a page and about the address of a link, for a crawl and for who explains alike.
8. `page` reads a page once: its regions with their texts and terms, and its links with where they stand.
9. `vectors` compares what was read; `topic` is what is sought, and counts how rare terms are.
10. `relevance` judges a page that was fetched, by its text and its links.
11. `evidence` gathers what is known of a URL that was not; `modules` score it by that, each in its way.
12. `scorer` puts this together: pages in, scores for URLs out, corrected as pages turn out.

What people ask:

13. `explaining` says why a page and its links have their scores.
14. `corpus` makes texts of a reference crawl; `phrases`, `naming` and `clusters` find words, names and topics there.
15. `proposals` joins them, each with its evidence; `drafting` writes them down as a definition.
"""
