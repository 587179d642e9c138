"""Writes the browser client's types from the OpenAPI document: ``python -m tools.client_types``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from kingdomino import server
from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings

_CLIENT: Final = Path(server.__file__).parent / "static/js"
TYPES: Final = _CLIENT / "net/types.d.ts"
_VENV: Final = Path(sys.executable).parents[1]
_GENERATOR: Final = _VENV / "node/node_modules/openapi-typescript/bin/cli.js"
_OPTIONS: Final = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false")


_FILES: Final = ("Bot", "Domino")
"""The schemas of files that the client loads, bots.json and dominoes.json."""


def types() -> str:
    """Return the types that the client uses: `Paths`, `Sockets`, refusals and their schemas."""
    document = json.loads(json.dumps(create_app(Settings()).openapi()), object_hook=_without_notes)
    sources = "".join(file.read_text(encoding="utf-8") for file in _CLIENT.rglob("*.js"))
    paths = {
        path: _record({method: _exchange(operation) for method, operation in operations.items()})
        for path, operations in document["paths"].items()
        if f'"{path}"' in sources
    }
    sockets = {name: _json(hook["post"]["requestBody"]) for name, hook in document["webhooks"].items()}
    schemas = document["components"]["schemas"] | {"Paths": _record(paths), "Sockets": _record(sockets)}
    used, found = set[str](), {"Paths", "Sockets", "RefusalBody", *_FILES}
    while found:
        used |= found
        found = set(re.findall(r"schemas/(\w+)", json.dumps([schemas[name] for name in found]))) - used
    components = {"schemas": {name: schemas[name] for name in sorted(used)}}
    command: tuple[Path | str, ...] = (_VENV / "bin" / "node", _GENERATOR, *_OPTIONS)
    wanted = json.dumps(document | {"paths": {}, "webhooks": {}, "components": components})
    return subprocess.run(command, input=wanted, capture_output=True, text=True, check=True).stdout


def _exchange(operation: dict[str, Any]) -> dict[str, Any]:
    """Describe the input of one method of a path, and its successful answers."""
    success = next(answer for status, answer in operation["responses"].items() if status < "3")
    sent = {"body": operation.get("requestBody", {}), "answer": success}
    return _record({name: _json(described) for name, described in sent.items() if _is_json(described)})


def _is_json(described: dict[str, Any]) -> bool:
    return "application/json" in described.get("content", {})


def _json(described: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = described["content"]["application/json"]["schema"]
    return schema


def _record(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _without_notes(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove titles and descriptions, but keep properties with these names: their values are schemas."""
    return {
        key: value
        for key, value in schema.items()
        if key not in ("title", "description") or type(value) is not str
    }


if __name__ == "__main__":
    TYPES.write_text(types(), encoding="utf-8")
