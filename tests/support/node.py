"""The page's own modules, run by Node."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from kingdomino import server

Json: TypeAlias = dict[str, Any]

_NODE: Final = Path(sys.executable).with_name("node")
_SCRIPTS: Final = Path(server.__file__).parent / "static/js"
_REDUCE: Final = """
import { readFileSync, writeSync } from "node:fs";
const { apply, emptyTable, isKnown } = await import(reducer);
const logs = JSON.parse(readFileSync(0, "utf8"));
const tables = logs.map(({ table, steps }) => steps.map((events) => {
  if (!events.every(isKnown)) throw new Error("an unknown event");
  return (table = events.reduce(apply, table.id ? table : emptyTable(table)));
}));
for (let text = Buffer.from(JSON.stringify(tables)); text.length;) text = text.subarray(writeSync(1, text));
"""


def run_node(script: str, sent: object, **modules: str) -> Any:  # noqa: ANN401
    """Run a script that reads JSON and writes JSON; its constants named by `modules` are their addresses."""
    constants = "".join(
        f"const {name} = {json.dumps((_SCRIPTS / path).as_uri())};\n" for name, path in modules.items()
    )
    options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "-e"]
    command: list[Path | str] = [_NODE, *options, constants + script]
    ended = subprocess.run(command, input=json.dumps(sent), capture_output=True, text=True, check=False)
    assert not ended.stderr
    return json.loads(ended.stdout)


def reduced(table: str | Json, events: Sequence[Json]) -> Json:
    """Return the page's state after events, which follow a snapshot or begin the table with this id."""
    [[last]] = reduced_steps([(table, [events])])
    return last


def reduced_steps(logs: Sequence[tuple[str | Json, Sequence[Sequence[Json]]]]) -> list[list[Json]]:
    """Return the page's state after each step of several logs."""
    sent = [{"table": table, "steps": steps} for table, steps in logs]
    tables: list[list[Json]] = run_node(_REDUCE, sent, reducer="net/reducer.js")
    return tables
