"""Whole crawls against the scripted web."""
