"""The words of the pages, for texts that the server writes: titles of shared links and pictures.

>>> language_of("de-DE, es-MX;q=0.8, en;q=0.5")
'es'
>>> say("es", "common.guest")
'Invitado'
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final, cast, get_args

from kingdomino.server.tables.people.codes import Language

__all__ = ["language_of", "say"]

_LANGUAGES: Final = get_args(Language)
_WORDS: Final = Path(__file__).parents[1] / "static" / "words"
_I: Final = re.compile("[ií]|h[ií](?![ae])", re.IGNORECASE)
"""Spanish uses `e` instead of `y` before these sounds: `Ana e Ida`, but `Ana y Hielo`."""


def language_of(accepted: str) -> Language:
    """Return the first of our languages in an ``Accept-Language`` header, which lists the preferred one first."""
    wanted = (part.strip()[:2].lower() for part in accepted.split(","))
    return cast(Language, next((code for code in wanted if code in _LANGUAGES), "en"))


def say(language: Language, key: str, **params: object) -> str:
    """Return the text of a key with its parameters filled in. Plurals are not supported."""
    text: str = _words(language)[key]

    def fill(hole: re.Match[str]) -> str:
        value = str(params[hole[2]])
        is_e = hole[1] and language == "es" and _I.match(value)
        return f"{'e ' if is_e else hole[1] or ''}{value}"

    return re.sub(r"(\by )?\{(\w+)\}", fill, text)


@cache
def _words(language: Language) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((_WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return words
