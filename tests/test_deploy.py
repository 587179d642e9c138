"""The files of `deploy/`: valid systemd units, existing settings, and the same hardening in all of them."""

import json
import os
import re
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from test_guides import ROOT

from kingdomino.cli.version import RECORDED
from kingdomino.server.settings import described, load, variable

DEPLOY = ROOT / "deploy"
UNITS = ("kingdomino.service", "kingdomino@.service", "kingdomino-worker.service")
BACKUP = "kingdomino-backup.service"
FAILURE = "kingdomino-failure@.service"
SLOW_START = 20
"""Seconds until a server on a busy machine ends because of wrong settings or an unusable database."""


@pytest.mark.parametrize("name", [*UNITS, BACKUP, FAILURE])
def test_systemd_takes_the_unit_and_finds_it_closed(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None and os.environ.get("CI") != "true":
        pytest.skip("systemd-analyze is not installed; get it with: apt-get install systemd")
    unit = tmp_path / name
    text = (DEPLOY / name).read_text("utf-8")
    assert "/opt/kingdomino/bin/kingdomino " in text or name == FAILURE
    unit.write_text(text.replace("/opt/kingdomino/bin/kingdomino", sys.executable), encoding="utf-8")
    units = [unit]
    if name == BACKUP:
        timer = BACKUP.replace(".service", ".timer")
        units.append(Path(shutil.copy(DEPLOY / timer, tmp_path)))
    subprocess.run(["systemd-analyze", "verify", "--man=no", *units], check=True)
    closed = [
        "systemd-analyze",
        "security",
        "--offline=yes",
        "--threshold=20",
        str(unit),
    ]  # of 100, where everything is open
    subprocess.run(closed, check=True, stdout=subprocess.DEVNULL)


def test_every_unit_tells_when_it_has_failed() -> None:
    for name in (*UNITS, BACKUP):
        head, _, _ = (DEPLOY / name).read_text("utf-8").partition("\n[Service]")
        assert f"\nOnFailure={FAILURE.replace('@', '@%n')}\n" in head, name


@pytest.mark.parametrize("name", UNITS)
def test_systemd_gives_up_a_unit_that_keeps_failing(name: str) -> None:
    """Otherwise systemd would restart it for ever, and never run OnFailure."""
    values = dict(re.findall(r"^(\w+)=(\d+)$", (DEPLOY / name).read_text("utf-8"), re.MULTILINE))
    cycle = SLOW_START + int(values["RestartSec"])
    assert int(values["StartLimitBurst"]) * cycle < int(values["StartLimitIntervalSec"])


def test_all_units_may_do_the_same() -> None:
    rights = {(DEPLOY / name).read_text("utf-8").partition("\nUser=")[2] for name in UNITS}
    assert len(rights) == 1
    for name in (BACKUP, FAILURE):
        _, _, closed = (DEPLOY / name).read_text("utf-8").partition("\nNoNewPrivileges=")
        assert closed
        assert closed in next(iter(rights)), name


@pytest.mark.parametrize("name", ["club.toml", "internet.toml"])
def test_the_settings_of_the_guide_are_settings(name: str) -> None:
    load({}, DEPLOY / name)


def test_one_service_builds_the_image_that_the_others_take() -> None:
    text = (DEPLOY / "compose.yml").read_text("utf-8")
    assert re.findall("^ *build:", text, re.MULTILINE) == ["    build:"]
    assert text.count("    <<: *kingdomino\n") == 1 + text.count("    pull_policy: never\n")


def test_the_program_can_restore_the_backup_of_the_containers() -> None:
    head, _, _ = (DEPLOY / "compose.yml").read_text("utf-8").partition("\nname:")
    assert " exec one kingdomino backup\n" in head
    assert " restore /tables.backup --replace\n" in head


def test_visitors_over_ipv6_are_let_in_and_have_addresses_of_their_own() -> None:
    compose, nginx = ((DEPLOY / name).read_text("utf-8") for name in ("compose.yml", "nginx.conf"))
    assert "    enable_ipv6: true\n" in compose
    for listener in re.findall(r"listen (\d.*);", nginx):
        assert f"listen [::]:{listener};" in nginx


def test_any_password_of_the_database_will_do() -> None:
    (url,) = re.findall("KINGDOMINO_DATABASE: (.*)", (DEPLOY / "compose.yml").read_text("utf-8"))
    assert "$" not in url


def test_the_image_has_the_commit_where_the_program_looks_for_it() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert f'echo "$COMMIT" >{RECORDED.relative_to(ROOT)}\n' in text


def test_the_health_check_of_the_image_goes_where_the_settings_say() -> None:
    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/games/health" else 404)
            self.end_headers()

    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    check = json.loads(re.findall("^HEALTHCHECK .*? CMD (.*)", text, re.MULTILINE)[0])
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        settings = {"KINGDOMINO_PORT": str(server.server_port), "KINGDOMINO_ROOT_PATH": "/games"}
        try:
            subprocess.run([sys.executable, *check[1:]], env={**os.environ, **settings}, check=True)
        finally:
            server.shutdown()


def test_the_variables_of_the_containers_are_settings() -> None:
    known = {variable(name) for name, _, _ in described()}
    for name in ("compose.yml", "Dockerfile", "Caddyfile"):
        assert set(re.findall(r"KINGDOMINO_\w+", (DEPLOY / name).read_text("utf-8"))) <= known
