"""A copy of this machine that is thrown away: its files are an overlay, its network is a loopback of its own.

Tests run the commands of the guide for hosts in it as they are written there. Only root can make one, on Linux.
`sudo` and `systemctl` are small programs here, since there is neither a password nor systemd.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

__all__ = ["Machine"]

_SYSTEMCTL: Final = Path(__file__).with_name("systemctl.py")
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SUDO: Final = """#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi
exec "$@"
"""
_SETUP: Final = """set -e
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --rbind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
mount -t tmpfs run "$1/root/run"
"""
_LOOPBACK: Final = """
import fcntl, socket, struct
with socket.socket() as any: fcntl.ioctl(any, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
open("/proc/sys/net/ipv4/ip_unprivileged_port_start", "w").write("0")
"""


class Machine:
    """A context manager; ``folder`` must be empty, and not on an overlay itself."""

    def __init__(self, folder: Path, clone: Path) -> None:
        """Make one in whose `clone` the commands run."""
        self._folder, self._clone = folder, clone

    @property
    def changes(self) -> Path:
        """The folder with what has been written, to be read from outside."""
        return self._folder / "upper"

    def __enter__(self) -> Self:
        for name in ("upper", "work", "root"):
            (self._folder / name).mkdir()
        programs = self._folder / "upper/usr/local/bin"
        programs.mkdir(parents=True)
        for name, text in {"sudo": _SUDO, "systemctl": _SYSTEMCTL.read_text()}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        # bash ends what has lost its parent.
        script = f"{_SETUP}\npython3 -c '{_LOOPBACK}'\necho ready\nread -r _"
        spaces = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child"]
        self._holder = subprocess.Popen(
            [*spaces, "bash", "-c", script, "machine", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout
        assert self._holder.stderr
        if self._holder.stdout.readline() != "ready\n":
            raise OSError(self._holder.stderr.read().strip())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder.communicate()

    def run(self, line: str, environment: Mapping[str, str] | None = None, *, online: bool = False) -> str:
        """Run a line of a shell as root; gives what it writes. Raises `AssertionError` if it fails.

        With ``online`` it has the network of this machine.
        """
        pid = self._holder.pid
        first = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]
        enter = ["nsenter", f"--target={first}", "--mount", "--pid", *(() if online else ("--net",))]
        ended = subprocess.run(
            [*enter, "chroot", str(self._folder / "root"), "bash", "-c", f"cd {self._clone} && {line}"],
            env={"PATH": _PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, f"{line}\n{ended.stdout}"
        return ended.stdout
