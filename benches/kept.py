"""Long measurements that can be interrupted: each result is written to a file at once.

The caller deletes the file when its page is written: it does not say which version of the library the results are of.
"""

import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

from rich.progress import track

Input = TypeVar("Input")


def _read(file: Path) -> dict[str, Any]:
    """Read the results that are kept, by name."""
    if not file.exists():
        return {}
    return dict(map(json.loads, file.read_text(encoding="utf-8").splitlines()))


def measured(file: Path, inputs: Mapping[str, Input], measure: Callable[[Input], Any]) -> list[Any]:
    """Measure all inputs, except those whose results are in the file already; give the results in order.

    inputs: by a name that stays the same from run to run.
    measure: gives what JSON can hold. It runs on as many threads as there are processors.
    """
    kept = _read(file)
    with ThreadPoolExecutor(os.cpu_count()) as pool, file.open("a", encoding="utf-8") as lines:
        names = {pool.submit(measure, one): name for name, one in inputs.items() if name not in kept}
        for done in track(as_completed(names), file.stem, len(names)):
            kept[names[done]] = done.result()
            print(json.dumps([names[done], done.result()]), file=lines, flush=True)
    return [kept[name] for name in inputs]
