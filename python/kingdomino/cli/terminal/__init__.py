"""The terminal game: `session` is the game, `commands` what is typed, `view` and `words` what is
shown, `flow` brings them together.

Imports Rich, `cli.files`, `cli.options` and the library's face; Typer stays with the commands.
"""
