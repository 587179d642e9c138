"""The terminal game: `session` is the game, `commands` what is typed, `view` and `words` what is
shown, `flow` brings them together.
"""
