"""Starts a separate PostgreSQL server for tests and benchmarks, in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

import psycopg

from tools.ports import free_port

__all__ = ["PostgreSQL", "programs"]

_DEBIAN: Final = Path("/usr/lib/postgresql")
_USER: Final = "postgres"  # Debian's; the server refuses to run as root


def programs() -> Path | None:
    """Find the folder with `initdb` and `pg_ctl`: on the path, or the newest of Debian's. `None` if not installed."""
    if found := shutil.which("pg_ctl"):
        return Path(found).parent
    versions = sorted(_DEBIAN.glob("*/bin/pg_ctl"), key=lambda program: int(program.parts[-3]))
    return versions[-1].parent if versions else None


class PostgreSQL:
    """A cluster in a folder, on a loopback port without passwords; stopped at first.

    Attributes:
        port: the port on which it listens.
    """

    def __init__(
        self,
        folder: Path,
        programs: Path,
        *,
        durable: bool,
        host: str = "127.0.0.1",
        namespace: str | None = None,
        options: Mapping[str, object] = MappingProxyType({}),
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Make the cluster. Without ``durable`` it does not write commits to the disk, which is faster.

        In a network ``namespace`` (needs root), the machine's other namespaces reach it at ``host`` and at
        the namespace's other addresses. ``options`` are more lines of postgresql.conf; ``environment`` adds
        variables to the server's.
        """
        self.folder, self._programs, self._environment = folder, programs, environment
        self._user = _USER if os.geteuid() == 0 else None
        self._enter: list[str] = []
        if namespace is not None:
            user, self._user = pwd.getpwnam(_USER), None
            ids = ("--setgid", str(user.pw_gid), "--setuid", str(user.pw_uid))
            self._enter = ["nsenter", f"--net=/run/netns/{namespace}", *ids]
        self.port = free_port()
        self._server = f"postgresql://{_USER}@{host}:{self.port}"
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(folder, _USER)
        self._do("initdb", "--auth=trust", f"--username={_USER}", "--encoding=UTF8", "--no-sync")
        lines = {
            "port": self.port,
            "listen_addresses": f"'{host}'" if namespace is None else "'*'",
            "unix_socket_directories": "''",
            "fsync": "on" if durable else "off",
            "max_connections": 200,
            **options,
        }
        with (folder / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in lines.items())
        if namespace is not None:
            with (folder / "pg_hba.conf").open("a") as file:
                file.write("host all all samenet trust\n")

    def url_of(self, database: str = "postgres", host: str | None = None) -> str:
        """Return a database's URL, ``postgresql://…``; ``host`` is another of its addresses."""
        if host is not None:
            return f"postgresql://{_USER}@{host}:{self.port}/{database}"
        return f"{self._server}/{database}"

    def execute(self, statement: str) -> None:
        """Run a statement outside a transaction."""
        with psycopg.connect(self.url_of(), autocommit=True) as connection:
            connection.execute(statement.encode())

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._do("pg_ctl", "start", "--wait", "--silent", f"--log={self.folder / 'log'}")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` ends connections, ``immediate`` is as good as a crash."""
        self._do("pg_ctl", "stop", "--wait", "--silent", f"--mode={mode}")

    @property
    def pid(self) -> int:
        """The number of the server's first process."""
        return int((self.folder / "postmaster.pid").read_text().splitlines()[0])

    @property
    def is_running(self) -> bool:
        """Whether the server's first process lives."""
        try:
            os.kill(self.pid, 0)
        except (OSError, IndexError, ValueError):
            return False
        return True

    def send(self, sign: signal.Signals) -> None:
        """Send a signal to all of the server's processes, because the first does not pass it on."""
        main = self.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in (main, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, sign)

    @contextmanager
    def running(self) -> Iterator[PostgreSQL]:
        """Run the server inside a ``with`` block."""
        self.start()
        try:
            yield self
        finally:
            self.stop("immediate")

    def _do(self, program: str, *arguments: str) -> None:
        command = [*self._enter, str(self._programs / program), *arguments, f"--pgdata={self.folder}"]
        ended = subprocess.run(
            command,
            user=self._user,
            cwd=self.folder,
            env={**os.environ, **(self._environment if program == "pg_ctl" else {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            text=True,
            check=False,
        )
        if ended.returncode:
            log = self.folder / "log"
            reason = ended.stderr or (log.read_text() if log.exists() else "")
            raise RuntimeError(f"{program} failed: {reason.strip()}")
