"""The processes of a crawl.

1. `wire` is what they say to each other.
2. `process` is a worker's process with one event loop; `worker` runs in it: it fetches, captures, acts and reports.
3. `hub` is the parent: it runs the frontier, hands out turns, restarts workers that die, and writes the reports.
4. `loading` has objects loaded into the store meanwhile, by a process of low priority.
5. `posted` takes URLs that other processes post while the crawl runs; `scores` keeps scores up to date.
6. `progress` shows a person what goes on.
"""
