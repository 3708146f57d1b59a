"""The stages of a page; `crawl/pipeline.py` has them in order.

1. `read`: bytes → payload, media type, tree, type and level, links and objects.
2. `archive`: exchange → WARC, before anything parses it; notes and objects after.
3. `watch` (with `articles`, `revision`): what a watched page brings, and when to come back.
4. `score`: what a page gives to be scored by.
5. `gaps`: what keeps content from being captured.
6. `mend`, `propose`: rules that failed, and pages of unknown sites, → entries of the knowledge base.
7. `learn`, `weigh`: what pages of unknown sites say, what samples of known ones add.
8. `judge`: what of the links belongs to the crawl, and why the rest does not.
"""
