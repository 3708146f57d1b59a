"""Mend rules that a template's change broke.

1. `failed_page` is a page on which something failed; `locate` finds where known values stand on it.
2. `recrawl` aligns failed actions with what an earlier crawl found (Algorithm 1 of the AAH paper), property by
   property (`align`); `prune` learns what to leave out of a text.
3. `newsite` finds rules where nothing is known (Algorithm 2): of those that `suggest` has, what the judges of
   `anansi.induce` are sure of.
4. `mend` is what a page suggests; `trial` proves it on further pages, `adapter` keeps the trials; `levels` does the
   same for level detection, `ways` for navigation.
5. `rule` is what was proved, and the entry that it makes.
"""
