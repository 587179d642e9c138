# /// script
# requires-python = ">=3.11"
# dependencies = ["httpx<0.29", "puccinialin>=0.1.14,<0.2"]
# ///
"""Get a Rust toolchain with rustup into the folder .rust of the project.

`make` runs it if no toolchain is new enough and builds for WebAssembly. In a terminal it asks first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
from puccinialin import setup_rust

FOLDER = Path(__file__).resolve().parents[1] / ".rust"
WHAT = (
    "This machine has no Rust toolchain that is new enough and builds for WebAssembly: rustup gets one into the folder "
    ".rust (800 MB; delete the folder to remove it)."
)


def main() -> None:
    """Ask, download, and make .rust/bin, which `make` has on its PATH."""
    print(WHAT, file=sys.stderr)
    if sys.stdin.isatty() and input("Go on? [Y/n] ").strip().lower() not in ("", "y", "yes"):
        sys.exit(1)
    try:
        found = setup_rust(FOLDER, file=sys.stderr)
        # For `make check` and `make format`; the toolchain itself is rustup's minimal profile.
        subprocess.run(
            ["rustup", "component", "add", "clippy", "rustfmt"], check=True, env=os.environ | found
        )
        subprocess.run(
            ["rustup", "target", "add", "wasm32-unknown-unknown"], check=True, env=os.environ | found
        )
        rustc = subprocess.run(
            ["rustup", "which", "rustc"], check=True, capture_output=True, text=True, env=os.environ | found
        )
    except (httpx.HTTPError, OSError, RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(f"rustup failed: {error}")
    # The toolchain's own programs: unlike rustup's, they need no variable to be found.
    link = FOLDER / "bin"
    link.unlink(missing_ok=True)
    link.symlink_to(Path(rustc.stdout.strip()).parent.relative_to(FOLDER))


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):  # Ctrl-D and Ctrl-C
        sys.exit("")
