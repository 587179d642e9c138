"""The settings: their sources, and the errors for wrong ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kingdomino.server.settings import (
    CONFIG,
    Limits,
    Rate,
    Settings,
    SettingsError,
    described,
    load,
    variable,
)
from tools import settings_table

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [CONFIG, *(variable(name) for name, _, _ in described())]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "server.toml"
    file.write_text("port = 1\npause = 1\nidle = 1\n[limits]\nsockets = 1\n[limits.play]\na_second = 1\n")
    return file


def faults(given: dict[str, object], file: Path | None = None) -> list[str]:
    with pytest.raises(SettingsError) as refused:
        load(given, file)
    return str(refused.value).split("; ")


def test_without_any_setting_a_server_has_the_defaults() -> None:
    assert load({}) == Settings()


def test_flags_come_before_the_environment_and_that_before_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINGDOMINO_PORT", "2")
    monkeypatch.setenv("KINGDOMINO_PAUSE", "2")
    settings = load({"port": "3"}, file)
    assert (settings.port, settings.pause, settings.idle) == (3, 2, 1)


def test_a_nested_setting_leaves_its_neighbours_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGDOMINO_LIMITS__PLAY__AT_ONCE", "7")
    limits = load({"limits.guess.at_once": "3"}, file).limits
    assert limits == Limits(Rate(1, 7), Rate(Limits().guess.a_second, 3), sockets=1)


def test_the_environment_can_name_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONFIG, str(file))
    assert load({}).port == 1


def test_every_wrong_setting_is_named_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text("limitss = 1\n[overload]\nrequests = 0\n")
    monkeypatch.setenv("KINGDOMINO_PORTT", "80")
    monkeypatch.setenv("KINGDOMINO_LIMITS__SOKETS", "80")
    monkeypatch.setenv("KINGDOMINO_LIMITS__FILES", "80")
    monkeypatch.setenv("KINGDOMINO_LIMITS__ENFORCED", "perhaps")
    assert sorted(faults({"pause": "soon", "slow_bots.of_table": "-1", "zzz": "1"}, file)) == sorted(
        [
            "'pause' must be a number, not \"soon\"",
            "'slow_bots.of_table' must be at least 0, not \"-1\"",
            "'zzz' is not a setting",
            "'KINGDOMINO_PORTT' is not a setting (did you mean 'KINGDOMINO_PORT'?)",
            "'KINGDOMINO_LIMITS__SOKETS' is not a setting (did you mean 'KINGDOMINO_LIMITS__SOCKETS'?)",
            "'KINGDOMINO_LIMITS__FILES' must be an object, not \"80\"",
            "'KINGDOMINO_LIMITS__ENFORCED' must be true or false, not \"perhaps\"",
            f"'{file}: overload.requests' must be at least 1, not 0",
            f"'{file}: limitss' is not a setting (did you mean '{file}: limits'?)",
        ]
    )


def test_several_names_have_commas_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGDOMINO_HOSTS", "play.example.org, here.example.org")
    settings = load({"trusted_proxies": "10.0.0.0/8,::1"})
    assert settings.hosts == ("play.example.org", "here.example.org")
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    (fault,) = faults({"trusted_proxies": "proxy.example.org"})
    assert fault.startswith(
        "trusted_proxies: 'proxy.example.org' is not an address or a network, for example "
    )


WRONG_TIMES = ["2026", "20261124", "2026-11-24", "2026-11-24T10:00:00", "soon"]


@pytest.mark.parametrize("time", [*WRONG_TIMES, "1795514400.5"])
def test_a_time_has_a_date_and_a_zone(time: str) -> None:
    said = "cookies.since: must be a time with its zone, for example 2026-11-24T10:00:00Z"
    assert faults({"cookies.since": time}) == [said]


@pytest.mark.parametrize("time", WRONG_TIMES[:-1])
def test_a_time_in_a_file_has_a_date_and_a_zone(tmp_path: Path, time: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f"cookies.since = {time}\n")
    assert faults({}, file)[0].startswith(f"{file}: cookies.since: must be a time with its zone")


def test_a_time_is_written_alike_in_a_flag_and_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("cookies.since = 2026-11-24T11:00:00+01:00\n")
    given = load({"cookies.since": "2026-11-24T10:00:00Z"})
    assert given.cookies.since_ms == load({}, file).cookies.since_ms == 1_795_514_400_000


@pytest.mark.parametrize("text", [b"port 80", b"\xff"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(text)
    assert faults({}, file)[0].startswith(f"{file}: ")


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"server\.toml"):
        load({}, tmp_path / "server.toml")


def test_the_guide_lists_every_setting_with_its_default_and_its_meaning() -> None:
    guide = settings_table.GUIDE.read_text(encoding="utf-8")
    assert settings_table.table() in guide, "python -m tools.settings_table writes it"
    assert all(meaning for _, _, meaning in described())
