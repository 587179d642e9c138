"""Writes the table of all metrics into the hosting guide: ``python -m tools.metrics_table``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import starmap
from typing import Final

from kingdomino.server.telemetry import Metrics
from tools.settings_table import GUIDE

_HEAD: Final = "| metric | kind | labels | meaning |\n|---|---|---|---|\n"


def table() -> str:
    """Write a row for every metric."""
    return _HEAD + "".join(
        f"| `{name}` | {kind} | {'; '.join(starmap(_label, labels.items()))} | {meaning} |\n"
        for name, kind, labels, meaning in Metrics().described
    )


def _label(name: str, values: Sequence[str]) -> str:
    return f"`{name}`: {', '.join(values)}" if values else f"`{name}`"


def with_table(guide: str) -> str:
    """Return the guide with today's table."""
    return re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table(), guide)


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
