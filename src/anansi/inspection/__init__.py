"""Look at single pages with the eyes of a crawl: for people who ask what it would do or what it has seen, and who
describe a new type.

1. `ask` fetches one page, as a crawl would.
2. `look` says what a page is and why, where it leads, and what stands on it.
3. `captured` reads what a collection holds of some addresses, `dated` what a list says of its entries, and `past`
   shows a channel page as it was at a time when no crawl saw it.
4. `story` compares that with what a person expects of a page, written down beside it.
"""
