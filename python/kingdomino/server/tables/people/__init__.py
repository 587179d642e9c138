"""The people at tables: names, codes, seats, presence, the lobby."""
