"""The engine's reasons against a placement, as codes that a client can say in its own language.

Imports nothing of the package.
"""

import re
from functools import lru_cache

_REASONS = (
    (re.compile(r"square \(-?\d+, -?\d+\) is taken"), "taken"),
    (re.compile(r"the kingdom would be (?P<squares>\d+) squares wide"), "too_wide"),
    (re.compile(r"the kingdom would be (?P<squares>\d+) squares tall"), "too_tall"),
    (re.compile(r"no (?P<terrains>[a-z]+(?: or [a-z]+)?) touches it there"), "no_match"),
)


@lru_cache(maxsize=1024)  # every placement is asked about, and there are few reasons
def reason_code(text: str) -> tuple[str, int, tuple[str, ...]]:
    """Read a reason of `Kingdom.refusal`: its code, the squares and the terrains that it names (or 0, none).

    A reason that is not known here, if the engine should ever have one, has the code ``other``.
    """
    for pattern, code in _REASONS:
        if found := pattern.fullmatch(text):
            named = found.groupdict()
            terrains = named.get("terrains")
            return code, int(named.get("squares", 0)), tuple(terrains.split(" or ")) if terrains else ()
    return "other", 0, ()
