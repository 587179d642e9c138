"""Writes the table of all settings into the hosting guide: ``python -m tools.settings_table``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from kingdomino.server.settings import described

GUIDE: Final = Path(__file__).parents[1] / "docs/guides/hosting.md"
_HEAD: Final = "| setting | default | meaning |\n|---|---|---|\n"


def table() -> str:
    """Write a row for every setting."""
    return _HEAD + "".join(
        f"| `{name}` | {_written(default)} | {meaning} |\n" for name, default, meaning in described()
    )


def with_table(guide: str) -> str:
    """Return the guide with today's table."""
    return re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table(), guide)


def _written(default: object) -> str:
    """Write a default as in a TOML file."""
    return "" if default is None else f"`{json.dumps(default)}`"


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
