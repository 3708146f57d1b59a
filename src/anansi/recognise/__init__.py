"""Recognise the application behind a page, and the kind of page.

1. `document` is what patterns are about: the tree, the address, the headers and the cookies of a page, as one.
2. `linked` is a part of it: what the page says of itself in JSON-LD, read when a pattern asks for it.
3. `recogniser` finds the type, then the level; what is known of the site is only verified.
"""
