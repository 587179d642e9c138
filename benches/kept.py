"""Long measurements that survive an interruption: they write each result to a file at once.

The first line of the file names the measured commit of the library. Results of two commits do not mix.
"""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import track

import kingdomino as kd
from kingdomino.cli.version import commit
from kingdomino.machine import available_cores

Input = TypeVar("Input")


def _resumed(file: Path, build: str | None) -> dict[str, Any]:
    """Create a file, or resume one. Return its results by name.

    Removes an incomplete last line, as a killed run leaves it.
    """
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    lines = [json.loads(line) for line in whole.splitlines()]
    begun = lines.pop(0)["commit"] if lines and isinstance(lines[0], dict) else None
    if not whole:
        whole = f"{json.dumps({'commit': build})}\n"
    elif begun not in (None, build):
        raise kd.KingdominoError(
            f"{file}: its results are of commit {begun}, and this is {build or 'unknown'}: delete it, or go back there"
        )
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return dict(lines)


def measured(file: Path, inputs: Mapping[str, Input], measure: Callable[[Input], Any]) -> list[Any]:
    """Measure all inputs whose results the file lacks. Return all results in order.

    inputs: inputs by name. The names must not change between runs.
    measure: returns a value that JSON can represent. It runs on one thread per available core.

    Accepts a file without a commit. Raises `KingdominoError` if the file names another commit.
    """
    kept = _resumed(file, commit())
    with ThreadPoolExecutor(available_cores()) as pool, file.open("a", encoding="utf-8") as lines:
        try:
            names = {pool.submit(measure, one): name for name, one in inputs.items() if name not in kept}
            for done in track(as_completed(names), file.stem, len(names)):
                kept[names[done]] = done.result()
                print(json.dumps([names[done], done.result()]), file=lines, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)  # otherwise Ctrl-C would wait for all remaining inputs
    return [kept[name] for name in inputs]
