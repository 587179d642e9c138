"""A killed server loses nothing that it has acknowledged or sent: `benches.table_kill`, in brief."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_after_kill_9_every_acknowledged_move_is_there_once_and_every_table_goes_on() -> None:
    command = [sys.executable, "-m", "benches.table_kill", "--kills", "3", "--tables", "4", "--dry"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kills, 1 of them" in done.stdout
    assert "Lost, doubled or stuck: nothing." in done.stdout
