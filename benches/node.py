"""Asks the page's engine in Node."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

_ENGINE: Final = Path(__file__).parents[1] / "python/kingdomino/server/static/engine"
_PROGRAM: Final = f"""
import {{ readFileSync }} from "node:fs";
import {{ brotliDecompressSync }} from "node:zlib";
import {{ createInterface }} from "node:readline";
import {{ instantiate }} from "{(_ENGINE / "engine.js").as_uri()}";
const file = brotliDecompressSync(readFileSync("{_ENGINE}/kingdomino.wasm.br"));
const call = await instantiate(await WebAssembly.compile(file));
const answer = ANSWER;
for await (const line of createInterface({{ input: process.stdin }})) {{
  console.log(JSON.stringify(answer(call, JSON.parse(line))));
}}
"""


@contextmanager
def in_node(answer: str) -> Iterator[Callable[[object], Any]]:
    """Start Node with the engine, and yield a function that asks it. Both sides speak JSON.

    answer: a function in JavaScript of the engine's ``call`` and the question.
    """
    node = subprocess.Popen(
        [
            Path(sys.executable).with_name("node"),
            "--input-type=module",
            "-e",
            _PROGRAM.replace("ANSWER", answer),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert node.stdin
    assert node.stdout
    asked, answers = node.stdin, node.stdout

    def ask(question: object) -> Any:  # noqa: ANN401
        print(json.dumps(question), file=asked)
        return json.loads(answers.readline())

    yield ask
    asked.close()
    node.wait()
