"""A crawl: the stages of a page in order, and the processes that run them.

1. `pipeline` is the list of stages and the ways through it; `findings` is what is known of a page so far.
2. `stages/` has the stages, each `(Page, Findings) -> Findings`.
3. `wire` is what processes say to each other. `process` is a worker's, with one event loop; `worker` runs in it:
   it fetches, captures, reads and reports.
4. `hub` is the parent: it runs the frontier, hands out turns, restarts workers that die (`suspects` finds the page
   that kills them), and commits (`commits`) what workers captured.
5. `guides` leads through sites that nobody described; `site_memory` is what workers tell each other about a site;
   `scoring` and `scores` keep scores up to date, `posted` takes URLs of other processes, `loader` has objects loaded.
6. `run` is one crawl from its definition to its reports; `dry_run` what a whole one would bring.
7. `report/` says what was kept and what is missing; `restore/` checks, repairs and reads again what a crawl wrote.
8. `captures` are pages read back from the archive; `settings` has the numbers that stages and hub decide by.
"""
