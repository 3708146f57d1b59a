"""The frontier: which URL is due, for whom, and what became of it.

1. `scope` says whether a URL belongs to the crawl, and why not.
2. `lifecycle` is the table of what can happen to a URL.
3. `priority` turns scores into an order and combines scores of a URL found again.
4. `store` keeps every URL and every queue on disk, through `rocks`: `discover`, `settle`, `take`.
5. `schedule` says which site may be visited now, by whom, on which IP address.
6. `politeness` says how long a site is left alone.
7. `traps` closes URL patterns that lead nowhere new.
8. `protocol` says what a crawl asks of a frontier: claim · settle · discover, and a few questions; `embedded` joins
   the parts behind it, goes by a `policy` and hands out turns (`turn`).
9. `posted` takes URLs that other processes post with their scores; `rescoring` has everything scored anew while the
   crawl goes on.
"""
