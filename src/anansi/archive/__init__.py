"""The archive stage: bytes in, a collection that archivists' tools read out.

1. `layout` knows the folder of a collection, makes it and locks it.
2. `record` builds WARC 1.1 records; `writer` writes exchanges, one gzip member a record, into rotating files.
3. `dedup` tells which payloads were kept before, so that they become revisit records.
4. `lines` words a capture as a line of the CDXJ index and of the page list; `segment` keeps them beside each WARC.
5. `reader` reads WARC files record by record, knowing where each begins and ends.
6. `index` makes lines from WARC files and merges segments into `index.cdxj` and `pages.jsonl`.
7. `repair` mends what a crash left behind; nothing is lost silently.
8. `check` verifies every record, digest and index line.
9. `wacz` packs the collection into one file; `log` words a line of `crawl.log`.
10. `history` reads versions of objects back, with the `captures` of their page and the `difference` between them.
11. `settings` has the numbers that were measured.
"""
