#!/usr/bin/env python3
"""What `systemctl` does of it in a `Machine`: starts, reloads and ends the commands of units, as their users."""

import os
import pwd
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDERS = [Path("/etc/systemd/system"), Path("/lib/systemd/system"), Path("/usr/lib/systemd/system")]
STATE = Path("/var/lib")


class Unit:
    """A service; ``name`` may be that of an instance: ``kingdomino@8001``."""

    def __init__(self, name: str) -> None:
        self.name = name.removesuffix(".service")
        template, at, instance = self.name.partition("@")
        [file, *_] = (path for folder in FOLDERS if (path := folder / f"{template}{at}.service").exists())
        self.values: dict[str, str] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                self.values[key] = value.replace("%i", instance).replace("%S", str(STATE))
        self._pid = Path("/run", f"{self.name}.pid")

    def start(self) -> None:
        """Start it."""
        user = pwd.getpwnam(self.values["User"])
        if folder := self.values.get("StateDirectory"):
            (STATE / folder).mkdir(mode=0o700, exist_ok=True)
            os.chown(STATE / folder, user.pw_uid, user.pw_gid)
        environment = dict(word.split("=", 1) for word in shlex.split(self.values.get("Environment", "")))
        with Path("/var/log", f"{self.name}.log").open("a", encoding="utf-8") as log:
            process = subprocess.Popen(
                shlex.split(self.values["ExecStart"]),
                env={"PATH": os.environ["PATH"], "HOME": user.pw_dir, **environment},
                cwd="/",
                user=user.pw_uid,
                group=user.pw_gid,
                extra_groups=[],
                umask=int(self.values.get("UMask", "0022"), 8),
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._pid.write_text(str(process.pid), encoding="utf-8")

    def stop(self) -> None:
        """End it, if it runs."""
        if not self._pid.exists():
            return
        pid = int(self._pid.read_text(encoding="utf-8"))
        self._pid.unlink()
        end = time.monotonic() + 90
        try:
            os.kill(pid, signal.SIGTERM)
            while (
                Path(f"/proc/{pid}").exists() and "Z (zombie)" not in Path(f"/proc/{pid}/status").read_text()
            ):
                if time.monotonic() > end:
                    sys.exit(f"{self.name} does not end")
                time.sleep(0.02)
        except (ProcessLookupError, FileNotFoundError):
            pass


def main(command: str, *words: str) -> None:
    """Do what is asked."""
    units = [Unit(word) for word in words if not word.startswith("--")]
    for unit in units:
        if command in ("stop", "restart", "disable"):
            unit.stop()
        if command in ("start", "restart", "enable"):
            unit.start()


main(*sys.argv[1:])
