"""Finished games: records, lists, statistics and retention."""
