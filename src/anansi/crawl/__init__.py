"""The life of a page inside a worker: a list of stages, each of which takes what was found and returns it with more.

1. `pipeline`: the stages in order, and the four ways through them.
2. `findings`: what is known of a page so far, and which stage fills what.
3. `read`: bytes → payload, media type, tree, type and level, links and objects.
4. `archive`: exchange → WARC, before anything parses it; notes and objects after.
5. `watch` (with `articles`, `revision`): what a watched page brings, and when to come back.
6. `gaps`: what keeps content from being captured.
7. `mend`, `propose`: rules that failed, and pages of unknown sites, → entries of the knowledge base.
8. `learn`, `weigh`: what pages of unknown sites say, what samples of known ones add.
9. `judge`: what of the links belongs to the crawl, and why the rest does not.
10. `captures`: pages read back from the archive.
"""
