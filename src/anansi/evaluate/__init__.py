"""The evaluation: crawls of one site in, what each of them brought and cost out.

1. `source` opens a collection: how many requests it cost, and its captures in the order they were fetched in.
2. `pages` reads a capture: its words, its external links, what of its text stands in links.
3. `words` numbers words and pairs them to 2-grams.
4. `content` says which pages of the blind crawl are content.
5. `reference` is what the blind crawl brought: the measure of all others.
6. `score` measures one crawl by it; `compare` does so for every crawl of a site.
7. `figures` draws; `report` puts numbers and figures on one page.

Beside it, of one collection:

8. `recorded` is its site in memory, to sample or to map; `trees` are its pages, parsed.
9. `texts` are its pages as people read them, `holding` what they say of a subject; `relevance` measures it, and
   `relevance_page` shows it.
10. `feeds` gathers its feeds, and `feeds_page` puts their statistics on one page; `watched` lists those it watches.

`settings` has the numbers that crawls are measured by.
"""
