"""Parses a person's input."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import kingdomino as kd
from kingdomino.cli.terminal.choices import Choice

HELP = {
    "17": "the claim or placement with this number",
    "place 1,0>2,0": "left end at (1, 0), right end at (2, 0); x to the right, y up, the castle at (0, 0)",
    "claim 17": "put your king on domino 17; low numbers go first in the next round",
    "map": "your kingdom with the numbers of the placements on it",
    "undo": "take back your last choice and everything after it",
    "score": "what every kingdom scores, territory by territory",
    "unseen": "the dominoes that have not been seen yet",
    "hint": "where to look for the best move; type it again to see the move; only against bots",
    "show": "the kingdoms and lines again (also just Enter)",
    "save FILE": "save the game; 'kingdomino play --resume FILE' continues it",
    "quit": "leave the game (also Ctrl-C and Ctrl-D)",
    "?": "this help",
}
"""Commands with their explanations."""

_ACTIONS = ("place", "claim", "discard")
_VERBS = {
    "map": "map",
    "undo": "undo",
    "score": "score",
    "scores": "score",
    "unseen": "unseen",
    "hint": "hint",
    "review": "review",
    "show": "show",
    "": "show",
    "save": "save",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
    "?": "help",
    "help": "help",
}


class Command(NamedTuple):
    """A command other than an action. `verb` is a value of `_VERBS`."""

    verb: str
    file: Path | None = None


def parse(text: str, offered: Sequence[Choice]) -> kd.Action | Command:
    """Parse a line: an action, which may be illegal, or a command.

    Raise `KingdominoError`, which names the alternatives.
    """
    word, _, rest = text.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in _ACTIONS:
        return kd.Action.parse(f"{word} {rest}".strip())
    if ">" in word:
        return kd.Action.parse(f"place {text.strip()}")
    if word.isdecimal() and len(word) < 5:
        return _numbered(int(word), offered)
    verb = _VERBS.get(word)
    if verb == "save" and rest:
        return Command("save", Path(rest).expanduser())
    if verb == "save":
        raise kd.KingdominoError("save where? Type 'save FILE'")
    if verb is None or rest:
        near = get_close_matches(word, [*_VERBS, *_ACTIONS], n=1)
        hint = f"did you mean {near[0]!r}?" if near and near[0] != word else "type ? for help"
        raise kd.KingdominoError(f"unknown command {text.strip()!r}; {hint}")
    return Command(verb)


def _numbered(number: int, offered: Sequence[Choice]) -> kd.Action:
    for choice in offered:
        if choice.number == number:
            return choice.action
    if offered[0].action.kind == "claim" and 1 <= number <= len(kd.DOMINOES):
        return kd.Action.claim(number)  # the engine will refuse it and say why
    numbers = (
        ", ".join(str(choice.number) for choice in offered) if len(offered) < 5 else f"1 to {len(offered)}"
    )
    raise kd.KingdominoError(f"{number} is not one of the choices: type {numbers}")
