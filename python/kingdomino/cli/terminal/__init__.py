"""The game in the terminal: `session` is the game, `commands` reads what is typed, `view` and `words` make what is
shown, and `flow` connects them.
"""
