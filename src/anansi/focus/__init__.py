"""The focus: what an archive is to be about in, scores for pages and links out.

1. `terms` reads text: words, without those that say nothing, cut to their stems.
2. `reading` reads a page once: its regions with their terms, and its links with where they stand.
3. `vectors` compares what was read; `topic` is what is sought, and counts how rare terms are.
4. `relevance` judges a page that was fetched, by its text and its links.
5. `evidence` gathers what is known of a URL that was not; `modules` score it by that, each in its way.
6. `scorer` puts this together: pages in, scores for URLs out, corrected as pages turn out.
"""
