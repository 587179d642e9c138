"""Finished games: records, lists and retention."""
