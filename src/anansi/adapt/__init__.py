"""Mend rules that a template's change broke.

1. `failed` is a page on which something failed; `spans` and `locate` find where known values stand on it.
2. `recrawl` aligns failed actions with what an earlier crawl found (Algorithm 1 of the AAH paper); `prune` learns
   what to leave out of a text.
3. `newsite` suggests rules where nothing is known (Algorithm 2): `choose` by what values look like (`looks`) and
   what elements are called (`favour`).
4. `induce` makes expressions of the fragment out of elements; `mend` is what a page suggests.
5. `trial` proves it on further pages, `adapter` keeps the trials; `levels` does the same for
   level detection, `ways` for navigation.
6. `rule` is what was proved, and the entry that it makes.
"""
