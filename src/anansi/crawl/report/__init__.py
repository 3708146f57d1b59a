"""What a crawl says of itself: while it runs, when it ends, and before it begins.

1. `account` is what the pages of a site turned out to be.
2. `summary` has the numbers, `words` tells them to people, `remedies` says what to do about gaps.
3. `ending` decides how a crawl ended; `progress` shows what goes on; `estimate` says what a whole crawl would bring.
"""
