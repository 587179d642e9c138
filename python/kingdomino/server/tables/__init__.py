"""Shared tables. Nothing here knows the web framework."""
