"""Feeds: bytes in, what a channel says of itself and of its items out; where feeds are named; how they behave.

1. `decoding` makes text of bytes, whatever their encoding is said to be, and leaves the document's own entities out.
2. `parsing` makes a tree of the text: as XML where it is, and else by `loose`, which takes any markup for what was
   meant. `names` gives an element one name, whatever its prefix.
3. `kinds` says what the tree is and `elements` reads it (RSS, RDF, Atom), `jsonfeed` reads JSON Feed; `dates` reads
   the dates of both.
4. `reading` puts this together: bytes, address and headers in, a `Feed` of `feed` out, or nothing when it is none.
5. `discovery` finds the feeds that a page names, `opml` those that a list of subscriptions names.
6. `statistics` says how feeds behave: their types, items, temporal elements and update intervals.

When to come back: what visits brought in, a due date and the risk of losing items out.

- `rhythm` is what is known of when one URL publishes; it travels with its visit from one fetch to the next.
- `forecast` says how many items it lets expect by a time.
- `schedule` weighs what waiting costs against what requests cost, within what feed and site ask for and a budget.

Data objects: a page and what an item says of it in, the object free of its template out.

7. `items` reads what a feed says of its items.
8. `context` makes concepts and sequences of words of a title and a description, by the stop words and stems of
   `anansi.text`.
9. `lines` reads a page as lines, each with the block that it stands in.
10. `nodes` finds the wrapper node of the object: lines that share words with the item, the blocks around them, the
   one that fits best and holds half of the concepts.
11. `article` takes the object out of it: text, references, images and media; comments are told apart.
12. `choice` says which item of a feed is about a page.
13. `wrapper` learns from several items of a site where its objects stand, puts items right by it, and reads pages
   that no feed tells of; it goes to the knowledge base as an extraction action.

Change: objects in, what became of them since the last visit out.

14. `objects` makes objects of what extraction found and of what a feed says.
15. `story` reads a page that no feed tells of: headline, byline, article, and what else is told there.
16. `change` makes a small version of a page's objects and compares two; `noise` knows what changes by itself.

Pages that no crawl saw: captures of a channel and what its items say of time in, the page at a moment out.

17. `channel` finds the entries of a channel page, `leads` those that stand apart from its list.
18. `timeline` says when items came, from dates and from captures, and how a list is ordered.
19. `mould` makes an entry for an item that no capture shows; `dating` writes its date as the page writes dates.
20. `rebuilding` chooses template, items and entries, `evidence` says why, and `assembly` puts the page together and
   marks it.

`settings` has the numbers that all of them go by.
"""
