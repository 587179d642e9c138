"""The hosting guide: its commands name existing files and units, and its services run as in their units.

The workflow `ci.yml` runs all commands of two sections on a machine with systemd. Here the services start without it.
"""

import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from test_guides import ROOT, program_of_the_guide

from kingdomino.cli import main

GUIDE: Final = ROOT / "docs/guides/hosting.md"
DEPLOY: Final = ROOT / "deploy"
OPT: Final = "/opt/kingdomino"
STATE: Final = "/var/lib"


def commands(section: str) -> list[str]:
    """List the commands of a section, as the workflow runs them."""
    printed = subprocess.run([ROOT / ".ci/guide", section], check=True, stdout=subprocess.PIPE, text=True)
    return printed.stdout.splitlines()


SECTIONS: Final = ("At home", "In a club", "On the internet", "Backups, old games and new versions")
INSTALLING: Final = [line for section in SECTIONS for line in commands(section) if "install -m" in line]


def service(unit: str, config: Path, home: Path) -> subprocess.Popen[str]:
    """Start the command of a unit, with its environment and umask, and other settings."""
    lines = (DEPLOY / unit).read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    program, *arguments = shlex.split(values["ExecStart"].replace("/etc/kingdomino.toml", str(config)))
    assert program == f"{OPT}/bin/kingdomino"
    code = "import sys; from kingdomino.cli import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env=dict(word.split("=", 1) for word in values["Environment"].replace("%S", str(home)).split()),
        umask=int(values["UMask"], 8),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_clubs_services_play_a_game_and_make_a_backup(tmp_path: Path) -> None:
    settings = (DEPLOY / "club.toml").read_text("utf-8").replace(STATE, str(tmp_path))
    config = tmp_path / "kingdomino.toml"
    config.write_text(f"port = 0\npause = 0\n{settings}", encoding="utf-8")
    (tmp_path / "kingdomino").mkdir()
    with service("kingdomino.service", config, tmp_path) as server:
        assert server.stdout is not None
        try:
            [address] = re.findall(r"http://\S+\w", server.stdout.readline().replace("0.0.0.0", "127.0.0.1"))
            assert len(program_of_the_guide()(address)) == 2
            with service("kingdomino-backup.service", config, tmp_path) as backup:
                assert backup.wait(60) == 0
        finally:
            server.terminate()
        assert server.wait(60) == 0
    database = tmp_path / "kingdomino/kingdomino.db"
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    (saved,) = (tmp_path / "kingdomino/backups").iterdir()
    assert main(["restore", str(saved), "--check"]) == 0


def test_the_worker_of_the_internet_asks_for_postgresql(tmp_path: Path) -> None:
    config = tmp_path / "kingdomino.toml"
    config.write_text(f'database = "sqlite:///{tmp_path}/games.db"', encoding="utf-8")
    with service("kingdomino-worker.service", config, tmp_path) as worker:
        _, refused = worker.communicate(timeout=60)
    assert worker.returncode == 2
    assert "postgresql://" in refused


@pytest.mark.parametrize("line", INSTALLING)
def test_every_file_that_a_host_installs_exists(line: str) -> None:
    _, _, _, _, *files, _ = shlex.split(line)
    assert files
    assert all((ROOT / file).is_file() for file in files)


@pytest.mark.parametrize("section", ["In a club", "On the internet"])
def test_a_host_installs_every_unit_it_needs(section: str) -> None:
    installed = units(section, "install")
    assert units(section, "enable") <= installed
    for name in installed:
        needed = re.findall(r"^OnFailure=(\S+@)", (DEPLOY / name).read_text("utf-8"), re.MULTILINE)
        assert {f"{unit}.service" for unit in needed} <= installed


def test_a_host_installs_the_backup_and_starts_its_timer() -> None:
    section = "Backups, old games and new versions"
    assert units(section, "install") == {"kingdomino-backup.service", "kingdomino-backup.timer"}
    assert units(section, "enable") == {"kingdomino-backup.timer"}


def units(section: str, verb: str) -> set[str]:
    """Name the units that a section installs or enables, as files of deploy/."""
    lines = [line for line in commands(section) if re.match(rf"sudo (systemctl )?{verb} ", line)]
    named = [word for line in lines for word in shlex.split(line) if "kingdomino" in word]
    files = (re.sub(r"@\d+$", "@", Path(word).name) for word in named if "/etc/" not in word)
    return {name if "." in name else f"{name}.service" for name in files}


def test_ci_installs_the_packages_that_a_bare_debian_lacks() -> None:
    installed = re.findall(r"missing\+=\((.*)\)", (ROOT / ".ci/run").read_text("utf-8"))
    assert {"caddy", "curl", "postgresql", "procps", "systemd"} <= {*" ".join(installed).split()}


@pytest.mark.parametrize("section", ["In a club", "On the internet"])
def test_hosts_install_the_packages_of_the_lock_file(section: str) -> None:
    installing = [line for line in commands(section) if "pip install" in line]
    assert installing
    for packages, wheel in zip(installing[::2], installing[1::2], strict=True):
        assert packages.endswith(" --require-hashes --requirement dist/requirements.txt")
        assert " --no-deps " in wheel


def test_the_workflow_runs_the_commands_of_both_kinds_of_host() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    assert '.ci/guide "$SECTION"' in workflow
    assert "section: [In a club, On the internet]" in workflow
