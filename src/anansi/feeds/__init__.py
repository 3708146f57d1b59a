"""Feeds: bytes in, what a channel says of itself and of its items out; where feeds are named; how they behave.

1. `decoding` makes text of bytes, whatever their encoding is said to be, and leaves the document's own entities out.
2. `parsing` makes a tree of the text: as XML where it is, and else by `loose`, which takes any markup for what was
   meant. `names` gives an element one name, whatever its prefix.
3. `kinds` says what the tree is and `elements` reads it (RSS, RDF, Atom), `jsonfeed` reads JSON Feed; `dates` reads
   the dates of both.
4. `reading` puts this together: bytes, address and headers in, a `Feed` of `feed` out, or nothing when it is none.
5. `discovery` finds the feeds that a page names, `opml` those that a list of subscriptions names.
6. `statistics` says how feeds behave: their types, items, temporal elements and update intervals.
"""
