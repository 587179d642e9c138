"""The version of this program, and the commit that it was built from.

The build runs this file too (tools/backend.py), so it imports only the standard library.
"""

import subprocess
from pathlib import Path
from typing import Final

RECORDED: Final = Path(__file__).with_name("commit.txt")
"""Where a build writes the commit. A checkout lacks this file and asks git instead."""


def commit() -> str | None:
    """Return the commit that this program was built from, or None if unknown.

    In a checkout it is the current commit, with ``-dirty`` if a tracked file has changed.
    """
    checkout = Path(__file__).parents[3]
    if (checkout / ".git").exists():
        return _described(checkout)
    return RECORDED.read_text(encoding="ascii").strip() if RECORDED.exists() else None


def version_text(version: str) -> str:
    """Return the line that ``--version`` prints: ``kingdomino 1.2.0 (3f2c1a9b8d7e)``."""
    name = commit()
    return f"kingdomino {version} ({name})" if name else f"kingdomino {version}"


def _described(checkout: Path) -> str | None:
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
    try:
        result = subprocess.run(command, check=True, capture_output=True, encoding="ascii")
    except (OSError, subprocess.CalledProcessError):  # without git, or in a checkout of another user
        return None
    return result.stdout.strip()
