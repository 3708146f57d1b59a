"""Data objects from items of feeds: a page and what an item says of it in, the object free of its template out.

1. `items` reads what a feed says of its items.
2. `context` makes concepts and sequences of words of a title and a description; `words` knows stop words and stems.
3. `lines` reads a page as lines, each with the block that it stands in.
4. `nodes` finds the wrapper node of the object: lines that share words with the item, the blocks around them, the
   one that fits best and holds half of the concepts.
5. `article` takes the object out of it: text, references, images and media; comments are told apart.
6. `choice` says which item of a feed is about a page.
7. `wrapper` learns from several items of a site where its objects stand, puts items right by it, and reads pages
   that no feed tells of; it goes to the knowledge base as an extraction action.
"""
