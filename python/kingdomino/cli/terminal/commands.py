"""What a person can type, and what it means.

Pure.
"""

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
    "undo": "take back the last choice made at this keyboard, and all that followed",
    "score": "what every kingdom scores, territory by territory",
    "unseen": "the dominoes that nobody has seen yet",
    "show": "the table again (so does Enter)",
    "save FILE": "write a record, from which 'kingdomino play --resume FILE' goes on",
    "quit": "leave the table (so do Ctrl-C and Ctrl-D)",
    "?": "this help",
}
"""What can be typed, and what for."""

_ACTIONS = ("place", "claim", "discard")
_VERBS = {
    "map": "map",
    "undo": "undo",
    "score": "score",
    "scores": "score",
    "unseen": "unseen",
    "show": "show",
    "": "show",
    "save": "save",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
    "?": "help",
    "help": "help",
}


class Say(NamedTuple):
    """A command to the program: `verb` is one of map, undo, score, unseen, show, save, quit and help."""

    verb: str
    file: Path | None = None


def parse(text: str, offered: Sequence[Choice]) -> kd.Action | Say:
    """Read what was typed: an action, which may still be illegal, or something to say or do.

    Raises `KingdominoError` with what could have been typed.
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
        return Say("save", Path(rest).expanduser())
    if verb == "save":
        raise kd.KingdominoError("save where? Type 'save FILE'")
    if verb is None or rest:
        near = get_close_matches(word, [*_VERBS, *_ACTIONS], n=1)
        hint = f"did you mean {near[0]!r}?" if near and near[0] != word else "type ? for help"
        raise kd.KingdominoError(f"{text.strip()!r} means nothing here; {hint}")
    return Say(verb)


def _numbered(number: int, offered: Sequence[Choice]) -> kd.Action:
    for choice in offered:
        if choice.number == number:
            return choice.action
    if offered[0].action.kind == "claim" and 1 <= number <= len(kd.DOMINOES):
        return kd.Action.claim(number)  # the engine says why not
    numbers = (
        ", ".join(str(choice.number) for choice in offered) if len(offered) < 5 else f"1 to {len(offered)}"
    )
    raise kd.KingdominoError(f"there is no {number} to choose: type {numbers}")
