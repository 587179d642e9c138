"""The guide for hosts, read from top to bottom: its commands run in a copy of this machine, with a game at the end."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from test_guides import ROOT

from tools.machine import Machine
from tools.postgresql import programs

GUIDE: Final = ROOT / "docs/guides/hosting.md"
NEEDED: Final = {
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "runuser": "util-linux",
    "useradd": "passwd",
    "ps": "procps",
    "curl": "curl",
    "caddy": "caddy",
    "createuser": "postgresql",
}
"""Programs, and the Debian packages that have them."""
OPT: Final = "/opt/kingdomino"
INSTEAD: Final = {
    "make dist": "true",  # .ci/run builds the wheel, and installs it in an environment of its own
    "sudo apt-get install": "true",  # .ci/run does it
    f"sudo python3 -m venv {OPT}": f"ln -s {sys.prefix} {OPT}",
    f"sudo {OPT}/bin/pip install": f"test -x {OPT}/bin/kingdomino",
}
"""What runs in place of commands that need a network or minutes."""
CHANGED: Final = {
    "/etc/kingdomino.toml": "pause = 0",
    "/etc/caddy/Caddyfile": r"{\n local_certs\n skip_install_trust\n}",
}
"""What is written at the beginning of files: bots do not pause, and certificates do not come from the internet."""
SITE: Final = "play.example.org"
AUTHORITY: Final = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
PLAY: Final = """
import re, sys
page = open("docs/guides/table.md", encoding="utf-8").read()
names = {}
exec(re.search(r"```python\\n(import json.*?)```", page, re.DOTALL)[1], names)
assert len(names["play"](sys.argv[1])) == 2
"""


def commands(section: str) -> list[str]:
    """List the commands in the blocks of a section."""
    text = re.search(rf"^## {section}\n(.*?)(?=^## )", GUIDE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert text
    blocks = re.findall(r"^```\n(.*?)^```", text[1], re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Make a copy of this machine, in which every user can run the program."""
    missing = [name for name in NEEDED if not shutil.which(name)]
    if os.geteuid() != 0:
        missing.append("root's rights")
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"needs {', '.join(missing)}")
    assert not missing
    with TemporaryDirectory(dir="/dev/shm") as folder:
        try:
            machine = Machine(Path(folder), ROOT).__enter__()
        except OSError as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"this machine cannot be copied: {error}")
        try:
            for path in (ROOT, Path(sys.executable).resolve()):
                machine.run(f"chmod o+x {' '.join(map(str, path.parents))}")
            machine.run(f"chmod o+rx {ROOT}")
            yield machine
        finally:
            machine.__exit__(None, None, None)


def read(machine: Machine, section: str, environment: dict[str, str] | None = None) -> None:
    """Do what a section says."""
    for line in commands(section):
        instead = next((instead for start, instead in INSTEAD.items() if line.startswith(start)), line)
        machine.run(instead, environment)
        for file, first in CHANGED.items():
            if line.endswith(file):
                machine.run(f"sed -i '1i {first}' {file}")


def play(machine: Machine, address: str, **environment: str) -> None:
    """Play a game by the program of the guide to the table, as soon as the server answers."""
    asking = "curl --silent --fail --retry 30 --retry-connrefused --retry-delay 1"
    machine.run(f"{asking} {address}/ready", {"CURL_CA_BUNDLE": environment.get("SSL_CERT_FILE", "")})
    machine.run(f"{sys.executable} - {address} <<'PROGRAM'\n{PLAY}\nPROGRAM", environment)


@pytest.mark.services
def test_in_a_club(machine: Machine) -> None:
    read(machine, "In a club")
    play(machine, "http://127.0.0.1:8000")
    assert "kingdomino.db" in machine.run("ls /var/lib/kingdomino")
    assert machine.run("stat -c '%U %a' /var/lib/kingdomino/kingdomino.db") == "kingdomino 600\n"


@pytest.mark.services
def test_on_the_internet(machine: Machine) -> None:
    found = programs()
    assert found
    machine.run(f"echo '127.0.0.1 {SITE}' >> /etc/hosts")
    machine.run(
        "mkdir -p /run/postgresql && chown postgres /run/postgresql && cd / &&"
        f" runuser -u postgres -- {found}/initdb --auth=peer --no-sync --pgdata=/var/lib/postgresql/host &&"
        f" runuser -u postgres -- {found}/pg_ctl start --wait --silent --pgdata=/var/lib/postgresql/host"
        " --log=/var/lib/postgresql/log -o '-c fsync=off -c unix_socket_directories=/run/postgresql'"
    )
    read(machine, "On the internet", {"CURL_CA_BUNDLE": AUTHORITY})
    play(machine, f"https://{SITE}", SSL_CERT_FILE=AUTHORITY)
    answer = machine.run(f"curl --silent --head --cacert {AUTHORITY} https://{SITE}/")
    assert "__Host-kingdomino=" in answer
    assert "strict-transport-security" in answer
    assert machine.run("ps -C kingdomino -o user= | sort -u").strip() in ("kingdomi+", "kingdomino")


def test_ci_installs_what_a_bare_debian_lacks() -> None:
    installed = re.findall(r"missing\+=\((.*)\)", (ROOT / ".ci/run").read_text("utf-8"))
    assert {*NEEDED.values()} - {"util-linux", "passwd"} <= {*" ".join(installed).split()}


@pytest.mark.parametrize("section", ["In a club", "On the internet"])
def test_hosts_install_the_packages_of_the_lock_file(section: str) -> None:
    installing = [line for line in commands(section) if "pip install" in line]
    assert installing
    for packages, wheel in zip(installing[::2], installing[1::2], strict=True):
        assert packages.endswith(" --require-hashes --requirement dist/requirements.txt")
        assert " --no-deps " in wheel


def test_every_command_of_the_guide_is_run_by_a_test() -> None:
    sections = "At home", "In a club", "On the internet"
    known: Callable[[str], bool] = re.compile(r"(make|sudo|curl|kingdomino) ").match  # type: ignore[assignment]
    assert all(known(line) for section in sections for line in commands(section))
