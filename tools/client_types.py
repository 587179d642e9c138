"""Writes the browser client's types from the OpenAPI document: ``python -m tools.client_types``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from kingdomino import server
from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings

TYPES: Final = Path(server.__file__).parent / "static/js/net/types.d.ts"
_VENV: Final = Path(sys.executable).parents[1]
_GENERATOR: Final = _VENV / "node/node_modules/openapi-typescript/bin/cli.js"
_OPTIONS: Final = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false")


def types() -> str:
    """Write the types that follow from the OpenAPI document."""
    document = json.dumps(create_app(Settings()).openapi())
    command: tuple[Path | str, ...] = (_VENV / "bin" / "node", _GENERATOR, *_OPTIONS)
    return subprocess.run(command, input=document, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    TYPES.write_text(types(), encoding="utf-8")
