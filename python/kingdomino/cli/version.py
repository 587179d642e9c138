"""Which version this is, and which commit it was built from.

The build reads this file as well (tools/backend.py), so it imports nothing but the standard library.
"""

import subprocess
from pathlib import Path
from typing import Final

RECORDED: Final = Path(__file__).with_name("commit.txt")
"""Where a build writes the commit. A checkout does not have this file: git knows the commit there."""


def commit() -> str | None:
    """Name the commit that this program was built from, or None if neither git nor the build knows it.

    Of a checkout it is the current one, with ``-dirty`` if a tracked file differs from it.
    """
    checkout = Path(__file__).parents[3]
    if (checkout / ".git").exists():
        return _described(checkout)
    return RECORDED.read_text(encoding="ascii").strip() if RECORDED.exists() else None


def version_text(version: str) -> str:
    """Write the version as ``--version`` prints it: ``kingdomino 1.2.0 (3f2c1a9b8d7e)``."""
    name = commit()
    return f"kingdomino {version} ({name})" if name else f"kingdomino {version}"


def _described(checkout: Path) -> str | None:
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
    try:
        result = subprocess.run(command, check=True, capture_output=True, encoding="ascii")
    except (OSError, subprocess.CalledProcessError):  # without git, or in a checkout of another user
        return None
    return result.stdout.strip()
