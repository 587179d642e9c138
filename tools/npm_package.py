"""Packs the engine for JavaScript as the npm package kingdomino into dist/npm: `make npm`."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import brotli

ROOT: Final = Path(__file__).parents[1]
_BIN: Final = Path(sys.executable).parent
_TYPES: Final = [
    *("--allowJs", "--declaration", "--emitDeclarationOnly", "--skipLibCheck", "--strict"),
    *("--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler"),
]


def pack(destination: Path) -> Path:
    """Pack it, and return the file. Its version comes from Cargo.toml."""
    destination.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("npm", "js"):
            shutil.copytree(ROOT / "crates/web" / part, folder, dirs_exist_ok=True)
        shutil.copy(ROOT / "LICENSE", folder)
        engine = ROOT / "python/kingdomino/server/static/engine/kingdomino.wasm.br"
        (folder / "kingdomino.wasm").write_bytes(brotli.decompress(engine.read_bytes()))
        manifest = json.loads((folder / "package.json").read_text("utf-8"))
        cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
        manifest["version"] = cargo["workspace"]["package"]["version"]
        (folder / "package.json").write_text(json.dumps(manifest, indent=2), "utf-8")
        compiler = ROOT / ".venv/node/node_modules/typescript/bin/tsc"
        _run("node", compiler, *_TYPES, "index.js", at=folder)
        said = _run("npm", "pack", "--silent", "--pack-destination", destination.resolve(), at=folder)
        return destination / said.split()[-1]


def _run(program: str, *arguments: str | Path, at: Path) -> str:
    command = [_BIN / program, *arguments]
    return subprocess.run(command, cwd=at, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


if __name__ == "__main__":
    print(pack(ROOT / "dist/npm"))
