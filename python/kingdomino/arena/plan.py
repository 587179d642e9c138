"""Plans: the bots, pairings, rules, number of deals and seed of a run; and arena files, which contain plans.

Everything in a plan except its name and its note determines the games, or which of them count. docs/formats/arena.md
describes the file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    GetPydanticSchema,
    TypeAdapter,
    ValidationError,
    with_config,
)
from pydantic_core import to_json
from pydantic_core.core_schema import no_info_after_validator_function
from typing_extensions import TypedDict

import kingdomino as kd
from kingdomino.bots.spec import parse
from kingdomino.display import distinct, is_line
from kingdomino.validation import UNKNOWN_KEY, did_you_mean, explain, path, place

Format: TypeAlias = Literal["round-robin", "gauntlet", "one-against", "each-against"]
"""The pairings: all combinations; the first bot with all others; the first against n-1 copies of each other bot; each
bot, including the last, against n-1 copies of the last."""

Measure: TypeAlias = Literal["win_rate", "elo"]
"""The measure of a sequential test: the win rate, directly or in Elo points."""

_STRICT = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the arena: its name in the results, and its spec string."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    spec: str

    @property
    def suffix(self) -> str | None:
        """The part of the name after the spec: "" or, from `entrants`, `` 2``. None for a bot with another name."""
        found = re.fullmatch(rf"{re.escape(self.spec)}( \d+)?", self.name)
        return None if found is None else found[1] or ""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Tests after every block whether the first bot is better, until the answer is clear.

    The hypotheses are "at most `lower`" and "at least `upper`". `alpha` and `beta` are the probabilities of rejecting
    the first and the second although it is true. Raises `ArenaError`.
    """

    measure: Measure
    lower: float
    upper: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        bounds = f"{self.measure} = [{self.lower}, {self.upper}]"
        if not (isfinite(self.lower) and isfinite(self.upper) and self.lower < self.upper):
            raise kd.ArenaError(f"{bounds}: the first number must be below the second")
        if self.measure == "win_rate" and not (self.lower > 0 and self.upper < 1):
            raise kd.ArenaError(f"{bounds}: win rates lie between 0 and 1")
        for key in ("alpha", "beta"):
            if not 0 < getattr(self, key) < 0.5:
                raise kd.ArenaError(f"{key} = {getattr(self, key)} is not between 0 and 0.5")

    def win_rates(self, players: int) -> tuple[float, float]:
        """Return both bounds as win rates.

        Elo points are the difference in rating to n-1 equal opponents.
        """
        if self.measure == "win_rate":
            return self.lower, self.upper
        from kingdomino.arena.statistics import win_rate  # here, so that playing needs no SciPy

        return win_rate(self.lower, players), win_rate(self.upper, players)


@with_config(_STRICT)
class _Rules(TypedDict, total=False):
    """The table ``[rules]`` of an arena file; `kd.Rules` checks the values."""

    players: int
    edition: str
    mighty_duel: bool
    harmony: bool
    middle_kingdom: bool
    opening: str


@with_config(_STRICT)
class _Test(TypedDict, total=False):
    """The table ``[test]`` of an arena file."""

    win_rate: tuple[float, float]
    elo: tuple[float, float]
    alpha: float
    beta: float


def _make_test(table: Mapping[str, Any]) -> SequentialTest:
    measures = [measure for measure in get_args(Measure) if measure in table]
    if len(measures) != 1:
        raise kd.ArenaError(f"one of {', '.join(get_args(Measure))} is needed, and {len(measures)} are given")
    levels = {key: table[key] for key in ("alpha", "beta") if key in table}
    return SequentialTest(measures[0], *table[measures[0]], **levels)


def _complete(bot: object) -> object:
    """Add the missing name to a bot that is a spec string, or a table without a name."""
    if isinstance(bot, dict):
        return {"name": bot["spec"], **bot} if "spec" in bot else bot
    if isinstance(bot, str):
        return {"name": bot, "spec": bot}
    raise ValueError(f"{bot!r} is neither a spec string nor {{ name = …, spec = … }}")


def entrants(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """Name bots by their specs, and number equal names: ``greedy 1``, ``greedy 2``."""
    given = [spec if isinstance(spec, Entrant) else Entrant(spec, spec) for spec in specs]
    names = distinct([entrant.name for entrant in given])
    return tuple(Entrant(name, entrant.spec) for name, entrant in zip(names, given, strict=True))


@dataclass(frozen=True, slots=True)
class Plan:
    """The games to play, but not how or where. The fields are the keys of an arena file.

    `blocks` is the number of deals for each pairing. With `self_play` every bot also plays each deal once against
    copies of itself, as a baseline of its margin. `modules` are imported before any bot is created, because they may
    register bots. Raises `ArenaError` for an invalid plan.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    format: Format
    bots: Annotated[tuple[Annotated[Entrant, BeforeValidator(_complete)], ...], AfterValidator(entrants)]
    rules: Annotated[
        kd.Rules,
        GetPydanticSchema(
            lambda _, schema: no_info_after_validator_function(
                lambda table: kd.Rules(**table), schema(_Rules)
            )
        ),
    ]
    blocks: int
    seed: int
    self_play: bool = False
    test: (
        Annotated[
            SequentialTest,
            GetPydanticSchema(lambda _, schema: no_info_after_validator_function(_make_test, schema(_Test))),
        ]
        | None
    ) = None
    modules: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not is_line(self.name):
            raise kd.ArenaError(f"name = {self.name!r}: a name is one line of text without spaces around it")
        if self.format not in get_args(Format):
            raise kd.ArenaError(f"format = {self.format!r}: it must be one of {', '.join(get_args(Format))}")
        if self.blocks < 1:
            raise kd.ArenaError(f"blocks = {self.blocks}: there must be at least one deal")
        if not 0 <= self.seed < 2**64:
            raise kd.ArenaError(f"seed = {self.seed} is not a number from 0 to 2**64 - 1")
        self._check_bots()
        if self.test is not None and len(self.bots) != 2:
            raise kd.ArenaError(f"test: it compares two bots, but there are {len(self.bots)}")

    def _check_bots(self) -> None:
        for text in (text for entrant in self.bots for text in (entrant.name, entrant.spec)):
            if not is_line(text):
                raise kd.ArenaError(f"bots: {text!r} is not one line of text without spaces around it")
        for name, times in Counter(entrant.name for entrant in self.bots).items():
            if times > 1:
                raise kd.ArenaError(f"bots: {times} of them are called {name!r}; names must be distinct")
        group = self.format in ("round-robin", "gauntlet")
        needed = self.rules.players if group else 2
        if len(self.bots) < needed:
            instead = " (one-against fills a table with copies)" if group and needed > 2 else ""
            raise kd.ArenaError(
                f"bots: {self.format} with {self.rules.players} players needs {needed} bots or more, "
                f"and there are {len(self.bots)}{instead}"
            )


_KEYS: Mapping[str, Sequence[str]] = {
    "": [field.name for field in fields(Plan)],
    "bots": [field.name for field in fields(Entrant)],
    "rules": list(_Rules.__annotations__),
    "test": list(_Test.__annotations__),
}


@cache
def _adapter() -> TypeAdapter[Plan]:
    """Return the parser of plans, created on demand, because processes that only play do not need it."""
    return TypeAdapter(Plan)


def canonical(bots: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Return the bots with their canonical specs, from which their random streams are derived.

    An explicit seed stays in the spec, even if it is the default. A bot with its spec as its name gets the canonical
    spec as its name. Raises `BotError` for an unknown bot.
    """
    return entrants(map(_canonical, bots))


def _canonical(entrant: Entrant) -> Entrant:
    spec = kd.bots.make(entrant.spec).spec
    (name, given), (canonical_name, options) = parse(entrant.spec), parse(spec)
    if canonical_name != name:  # an alias, registered for another bot
        return Entrant(entrant.name, spec)
    if "seed" in given and "seed" not in options:
        spec += f"{',' if options else ':'}seed={given['seed']}"
    return Entrant(entrant.name if entrant.suffix is None else f"{spec}{entrant.suffix}", spec)


def read_plan(file: Path) -> Plan:
    """Read an arena file. The default name of a plan is the file's.

    Raises `OSError`, or `ArenaError` with the file's name and the line or the key.
    """
    try:
        return from_mapping({"name": file.stem} | tomllib.loads(file.read_text(encoding="utf-8")))
    except UnicodeDecodeError:
        raise kd.ArenaError(f"{file}: not a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise kd.ArenaError(f"{file}: this is not TOML{place(str(error))}") from None
    except kd.KingdominoError as error:
        raise kd.ArenaError(f"{file}: {error}") from error


def from_mapping(mapping: Mapping[str, Any]) -> Plan:
    """Read a plan from a mapping of `to_mapping` or `tomllib`. Raises `ArenaError`."""
    try:
        # As JSON, because Pydantic's strict mode accepts no Python list for a tuple.
        return _adapter().validate_json(to_json({"format": "round-robin", "rules": {}} | dict(mapping)))
    except ValidationError as error:
        faults = error.errors(include_url=False)
    # A misspelt key is also reported as missing; the first of the two messages is the helpful one.
    fault = next((one for one in faults if one["type"] in UNKNOWN_KEY), faults[0])
    message = explain(fault, path(fault["loc"]))
    if fault["type"] in UNKNOWN_KEY:
        *outer, key = fault["loc"]
        known = _KEYS[str(outer[0]) if outer else ""]
        message += f"{did_you_mean(str(key), known)}; the keys are {', '.join(known)}"
    raise kd.ArenaError(message)


def to_mapping(plan: Plan) -> dict[str, Any]:
    """Return the plan as a mapping for JSON; `from_mapping` reads it."""
    mapping: dict[str, Any] = {
        "name": plan.name,
        "format": plan.format,
        "bots": [{"name": entrant.name, "spec": entrant.spec} for entrant in plan.bots],
        "rules": {key: getattr(plan.rules, key) for key in _KEYS["rules"]},
        "blocks": plan.blocks,
        "seed": plan.seed,
        "self_play": plan.self_play,
        "modules": list(plan.modules),
        "note": plan.note,
    }
    if (test := plan.test) is not None:
        mapping["test"] = {test.measure: [test.lower, test.upper], "alpha": test.alpha, "beta": test.beta}
    return mapping


def differences(one: Plan, other: Plan) -> list[str]:
    """Describe the differences of two plans by key: ``blocks (100, not 200)``. Names and notes may differ."""
    ours, theirs = to_mapping(one), to_mapping(other)
    keys = [key for key in dict.fromkeys([*ours, *theirs]) if key not in ("name", "note")]
    return [
        f"{key} ({ours.get(key, 'none')}, not {theirs.get(key, 'none')})"
        for key in keys
        if ours.get(key) != theirs.get(key)
    ]
