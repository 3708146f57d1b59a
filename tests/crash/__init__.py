"""Crawls that are killed, starved, damaged and interrupted; afterwards nothing may be missing."""
