"""The game in the terminal.

`session` is the game, `commands` parses input, `view` and `words` make the output, and `flow` connects them.
"""
