"""What is wrong with data from outside, in our words: Pydantic's errors, and words that were probably meant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "dict_type": "an object",
    "float_parsing": "a number",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "string_type": "a text",
    "string_unicode": "a text",
    "tuple_type": "a list",
}
"""What a value must be, by Pydantic's type of error."""
UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
"""Types of the error for a key that does not exist: of models and of dataclasses."""
_LONGEST_VALUE = 40
"""Characters of a wrong value that are quoted."""


def path(parts: Sequence[str | int]) -> str:
    """Write where a value is: ``limit.time``, ``actions[3]``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")


def explain(error: ErrorDetails, where: str) -> str:
    """Say what is wrong with the value at ``where``: ``'limit.time' must be a number, not "1"``."""
    kind = error["type"]
    if kind == "value_error":
        reason = str(error["ctx"]["error"])
        return f"{where}: {reason}" if where else reason
    if kind == "json_invalid":
        return f"not JSON: {error['ctx']['error']}"
    if kind == "missing":
        return f"{where!r} is missing"
    if kind in UNKNOWN_KEY:
        return f"{where!r} is not a known key"
    if kind == "too_long":
        found, allowed = error["ctx"]["actual_length"], error["ctx"]["max_length"]
        return f"{where!r} has {found} entries, at most {allowed} are allowed"
    expected = EXPECTED.get(kind) or error["msg"].removeprefix("Input should be ")
    return f"{where!r} must be {expected}, not {json.dumps(error['input'], default=str)[:_LONGEST_VALUE]}"


def did_you_mean(word: str, words: Iterable[str], written: Callable[[str], str] = str) -> str:
    """Hint at the most similar of some words, or at nothing: `` (did you mean 'greedy'?)``."""
    near = get_close_matches(word, words, n=1)
    return f" (did you mean {written(near[0])!r}?)" if near else ""
