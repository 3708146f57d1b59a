"""Act on a page: find what leads on.

1. `tree` parses the page once.
2. `links` finds the links of any HTML page, whatever made it: the generic action for sites that no type describes.
"""
