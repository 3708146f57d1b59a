"""Pairs of pages that were scripted: what changed on them is known, because it was changed here."""
