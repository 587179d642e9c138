"""A server in a separate process that a test can kill, and restart at the same address."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

TIMEOUT: Final = 30.0
PROGRAM: Final = "import sys; from kingdomino.cli import main; sys.exit(main())"


class Served:
    """``kingdomino serve`` with a database of its own, bots that do not pause, and no limits."""

    def __init__(self, folder: Path, *options: str, program: str = PROGRAM) -> None:
        self.folder, self._options, self._program = folder, options, program
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Serve on a free port, after a restart on the same one."""
        port = urlsplit(self.address).port or 0
        database = f"sqlite:///{self.folder / 'tables.db'}"
        options = ["--port", str(port), "--database", database, "--pause", "0", "--quiet"]
        options += ["--set", "limits.enforced=false", *self._options]
        # A busy test machine must not refuse requests.
        options += ["--set", "overload.lag=60", "--set", "overload.write_wait=60"]
        with (self.folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", self._program, "serve", *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        for line in self._process.stdout:
            if found := re.search(r" at (http://\S+)/$", line):
                self.address = found[1]
                return
        raise AssertionError(f"the server did not start: {self.logged}")

    def kill(self) -> None:
        """End the process as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End the process with SIGTERM, and return its exit status."""
        return self._end(signal.SIGTERM)

    @property
    def logged(self) -> str:
        """The warnings and errors in its log."""
        return (self.folder / "server.log").read_text()

    def _end(self, sign: signal.Signals) -> int:
        process = self._process
        assert process
        assert process.stdout
        process.send_signal(sign)
        status = process.wait(TIMEOUT)
        process.stdout.close()
        self._process = None
        return status
