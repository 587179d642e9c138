"""Reading and writing plans: TOML files by hand, mappings in stores and from the command line.

Every complaint names the key and what is allowed there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

import kingdomino as kd
from kingdomino.arena.plan import Entrant, Measure, Plan, SequentialTest, entrants

Value = TypeVar("Value")

_KINDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
_RULES = {
    "players": int,
    "edition": str,
    "mighty_duel": bool,
    "harmony": bool,
    "middle_kingdom": bool,
    "opening": str,
}
_PLAN = tuple(field.name for field in fields(Plan))


def read_plan(path: Path) -> Plan:
    """Read an arena file; one without a name is named after the file.

    Raises `OSError`, or `ArenaError` with the file's name and the line or the key.
    """
    try:
        mapping = tomllib.loads(path.read_text(encoding="utf-8"))
        return from_mapping({"name": path.stem} | mapping)
    except UnicodeDecodeError:
        raise kd.ArenaError(f"{path}: not a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise kd.ArenaError(f"{path}: not TOML: {error}") from None
    except kd.KingdominoError as error:
        raise kd.ArenaError(f"{path}: {error}") from error


def from_mapping(mapping: Mapping[str, Any]) -> Plan:
    """Give the plan of a mapping as `to_mapping` and `tomllib` give it. Raises `ArenaError`."""
    _check_keys(mapping, _PLAN, "")
    test = mapping.get("test")
    return Plan(
        name=_take(mapping, "name", str),
        format=_take(mapping, "format", str, "round-robin"),
        bots=_bots(_take(mapping, "bots", list)),
        rules=_rules(_take(mapping, "rules", dict, {})),
        blocks=_take(mapping, "blocks", int),
        seed=_take(mapping, "seed", int),
        self_play=_take(mapping, "self_play", bool, default=False),
        test=None if test is None else _test(_take(mapping, "test", dict)),
        modules=_texts(mapping, "modules"),
        note=_take(mapping, "note", str, ""),
    )


def to_mapping(plan: Plan) -> dict[str, Any]:
    """Give the plan as JSON can hold it; `from_mapping` reads it back."""
    mapping: dict[str, Any] = {
        "name": plan.name,
        "format": plan.format,
        "bots": [{"name": entrant.name, "spec": entrant.spec} for entrant in plan.bots],
        "rules": {key: getattr(plan.rules, key) for key in _RULES},
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
    """Say key by key what differs between two plans: ``blocks (100, and not 200)``."""
    ours, theirs = to_mapping(one), to_mapping(other)
    keys = dict.fromkeys([*ours, *theirs])
    return [
        f"{key} ({ours.get(key, 'none')}, and not {theirs.get(key, 'none')})"
        for key in keys
        if ours.get(key) != theirs.get(key)
    ]


def _bots(given: list[object]) -> tuple[Entrant, ...]:
    return entrants(_bot(bot, f"bots, number {number}") for number, bot in enumerate(given, 1))


def _bot(bot: object, where: str) -> Entrant | str:
    if isinstance(bot, str):
        return bot
    if not isinstance(bot, dict):
        raise kd.ArenaError(f"{where}: {bot!r} is neither a spec string nor {{ name = …, spec = … }}")
    _check_keys(bot, ("name", "spec"), f"{where}: ")
    spec = _take(bot, "spec", str, where=f"{where}: ")
    return Entrant(_take(bot, "name", str, spec, where=f"{where}: "), spec)


def _rules(given: dict[str, Any]) -> kd.Rules:
    _check_keys(given, _RULES, "rules: ")
    for key, kind in _RULES.items():
        if key in given:
            _take(given, key, kind, where="rules: ")
    try:
        return kd.Rules(**given)
    except (kd.KingdominoError, OverflowError) as error:
        raise kd.ArenaError(f"rules: {error}") from error


def _test(given: dict[str, Any]) -> SequentialTest:
    measures = get_args(Measure)
    _check_keys(given, (*measures, "alpha", "beta"), "test: ")
    named = [measure for measure in measures if measure in given]
    if len(named) != 1:
        raise kd.ArenaError(f"test: it needs one of {', '.join(measures)}, and has {len(named)} of them")
    bounds = _take(given, named[0], list, where="test: ")
    levels = {key: given[key] for key in ("alpha", "beta") if key in given}
    if len(bounds) != 2 or not all(_is_number(number) for number in [*bounds, *levels.values()]):
        raise kd.ArenaError(f"test: like {named[0]} = [0.5, 0.55], alpha = 0.05, beta = 0.05, in numbers")
    lower, upper = map(float, bounds)
    return SequentialTest(named[0], lower, upper, **{key: float(level) for key, level in levels.items()})


def _texts(mapping: Mapping[str, Any], key: str) -> tuple[str, ...]:
    texts = _take(mapping, key, list, [])
    if not all(isinstance(text, str) for text in texts):
        raise kd.ArenaError(f"{key} = {texts!r}: not a list of texts")
    return tuple(texts)


def _take(
    mapping: Mapping[str, Any], key: str, kind: type[Value], default: Value | None = None, where: str = ""
) -> Any:  # noqa: ANN401  (a value of `kind`; which text it may be the plan checks)
    value = mapping.get(key, default)
    if value is None:
        raise kd.ArenaError(f"{where}{key} is missing: {_KINDS[kind]}")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise kd.ArenaError(f"{where}{key} = {value!r}: not {_KINDS[kind]}")
    return value


def _check_keys(mapping: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    known = list(known)
    for key in mapping:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise kd.ArenaError(f"{where}no key {key!r}{hint}; there are {', '.join(known)}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
