"""Error messages for input: Pydantic's errors in our words, and suggestions for misspelt words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "dict_type": "an object",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "int_type": "a whole number",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "path_type": "a path",
    "string_type": "a text",
    "string_unicode": "a text",
    "tuple_type": "a list",
}
_FAULTS = {
    "missing": "is missing",
    "string_pattern_mismatch": "must match {pattern}",
    "string_too_long": "must have at most {max_length} letters",
    "string_too_short": "must not be empty",
    "too_long": "must have at most {max_length} entries",
    "too_short": "must not be empty",
}
UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
"""Pydantic's error types for an unknown key, of models and of dataclasses."""
_LONGEST_VALUE = 40
"""Most characters to quote of a wrong value."""


def path(parts: Sequence[str | int]) -> str:
    """Return the path of a value: ``limit.time``, ``actions[3]``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")


def fault(error: ErrorDetails) -> str:
    """Return what is wrong with a value, to follow its name: ``must be a whole number``."""
    kind, facts = error["type"], {name: _tidy(value) for name, value in error.get("ctx", {}).items()}
    if kind == "value_error":
        return str(facts["error"])
    if kind in _EXPECTED:
        return f"must be {_EXPECTED[kind].format(**facts)}"
    return _FAULTS.get(kind, "is not valid").format(**facts)


def explain(error: ErrorDetails, where: str) -> str:
    """Return what is wrong with the value at ``where``: ``'limit.time' must be a number, not "1"``."""
    kind, what = error["type"], fault(error)
    if kind == "value_error":
        return f"{where}: {what}" if where else what
    if kind == "json_invalid":
        return f"this is not JSON{place(str(error['ctx']['error']))}"
    if kind in UNKNOWN_KEY:
        return f"{where!r} is not a known key"
    found = json.dumps(error["input"], default=str)[:_LONGEST_VALUE] if kind in _EXPECTED else ""
    return f"{where!r} {what}{found and ', not '}{found}"


def place(error: str) -> str:
    """Return the place in an error of a TOML or JSON parser: `` (line 1, column 8)``."""
    found = re.search(r"line (\d+),? column (\d+)", error)
    return f" (line {found[1]}, column {found[2]})" if found else ""


def _tidy(fact: object) -> object:
    return int(fact) if isinstance(fact, float) and fact.is_integer() else fact


def did_you_mean(word: str, words: Iterable[str], written: Callable[[str], str] = str) -> str:
    """Suggest the most similar of some words, if any: `` (did you mean 'greedy'?)``."""
    near = get_close_matches(word, words, n=1)
    return f" (did you mean {written(near[0])!r}?)" if near else ""
