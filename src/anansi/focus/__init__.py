"""The focus: what an archive is to be about in, scores for pages and links out.

1. `terms` reads text: words, without those that say nothing, cut to their stems.
2. `reading` reads a page once: its regions with their terms, and its links with where they stand.
3. `vectors` compares what was read.
"""
