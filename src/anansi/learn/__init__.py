"""The learning of unknown sites: pages in, the ways that lead to content and what stands there out.

1. `labels` says where a link stands on its page; `items` says what a page says: its distinct 2-grams.
2. `sampler` chooses the pages to look at, from both ends of a queue at random.
3. `sitemap` is the graph of what was looked at; pages that say the same count once.
4. `ways` clusters pages by the labels that lead to them, and follows labels from the root: navigation patterns.
5. `selection` chooses among them by how much new each brings a request.
6. `lesson` puts this together: a site map in, patterns with their evidence out, as an entry of the knowledge base.
7. `automaton` follows patterns on pages; a URL carries the states that it is in.
8. `shapes` says what kind of address a URL is; `chooser` learns while crawling: which link to follow next, and which
   kinds not at all. `chance` comes from outside.
9. `templates` puts together the pages that are built alike; `regions` asks `anansi.induce` what stands on them and
   says what they are for (`kinds`: lists, views, content); `drafts` makes levels of an entry of it.
10. `likeness` says which learned sites are made by one software, `discovery` drafts a type for them.
"""
