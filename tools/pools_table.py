"""Writes the table of all pools into the hosting guide: ``python -m tools.pools_table``."""

from __future__ import annotations

import re
from typing import Final

from kingdomino.server.pools import POOLS, Quota, Rates
from kingdomino.server.settings import Rate, Settings
from tools.settings_table import GUIDE

_HEAD: Final = "| pool | in all | a person | a network | when it is full |\n|---|---|---|---|---|\n"
_HOUR: Final = 3600


def table() -> str:
    """Write a row for every pool, with its default limits."""
    settings = Settings()
    return _HEAD + "".join(
        f"| {pool.holds} | {' | '.join(_cells(pool.quota(settings)))} | {pool.when_full} |\n"
        for pool in POOLS.values()
    )


def _cells(quota: Quota | Rates) -> list[str]:
    if isinstance(quota, Rates):
        return ["", _rate(quota.of_person), _rate(quota.of_network)]
    return ["" if number is None else f"{number:,}" for number in quota]


def _rate(rate: Rate | None) -> str:
    if rate is None:
        return ""
    often = f"{rate.a_second:g} a second" if rate.a_second >= 0.1 else f"{rate.a_second * _HOUR:g} an hour"
    return f"{rate.at_once:,} at once, then {often}"


def with_table(guide: str) -> str:
    """Return the guide with today's table."""
    return re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table(), guide)


if __name__ == "__main__":
    GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
