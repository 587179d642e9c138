"""Bad input: the right refusal, nothing stored, no traceback, and no other table affected."""

import json
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis.strategies import text
from support.clients import Json, Server, refusal

import kingdomino as kd
from kingdomino.server.http.schemas import LONGEST_RECORD, Me
from kingdomino.server.tables.core.deal import check
from kingdomino.server.tables.people.names import LONGEST_NAME

MARKUP = "<b onclick=x>&amp;\"'"


@pytest.fixture(autouse=True)
def no_failure(caplog: pytest.LogCaptureFixture) -> Any:  # noqa: ANN401
    """Fail a test if the server logs a warning or an error."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_an_invalid_name_is_refused_and_not_stored(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "open")
    headers = {"content-type": "application/json"}
    for name in (
        "",
        " ",
        "x" * 10_000,
        "x" * 25,
        "Ida\x1b[31m",
        "I\x00da",
        "Ida\u202eadI",
        "\ud800",
        "\ufeff",
    ):
        for method, path, body in (
            ("PUT", "/api/me", {"name": name}),
            ("POST", "/api/tables", {"seats": [{"kind": "me", "name": name}]}),
            ("POST", f"/api/tables/{table}/seats", {"name": name}),
        ):
            content = json.dumps(body).encode()
            answer = await server.client().send(method, path, content=content, headers=headers)
            assert refusal(answer) in ((422, "bad_field"), (400, "bad_request")), ascii(name)
    assert (await ida.get("/health"))["tables"] == 1
    assert (await ida.table(table))["seats"][1]["kind"] == "open"


@pytest.mark.parametrize(
    "name", [MARKUP, "x" * LONGEST_NAME, "Ída", "伊達政宗", "☃", "O'Hara; DROP TABLE", "%s{0}$(x)", "\\", '"']
)
async def test_any_other_name_is_stored_unchanged_and_is_in_the_record(server: Server, name: str) -> None:
    ida = server.client()
    await ida.send("PUT", "/api/me", {"name": name})
    assert (await ida.get("/api/me"))["name"] == name
    table = await ida.create("me", "bot")
    events = await ida.play(table)
    assert events[0]["seats"][0]["name"] == name
    answer = await ida.send("GET", f"/api/tables/{table}/record")
    assert answer.headers["content-type"].startswith("text/plain")
    record = kd.Record.parse(answer.text)
    assert record.players[0] == name
    assert check(record).deal.commitment == events[-1]["commitment"]


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=text(max_size=40))
def test_any_name_is_cleaned_or_refused(name: str) -> None:
    try:
        kept = Me(name=name).name
    except ValueError:
        return
    assert kept == " ".join(name.split())
    assert 1 <= len(kept) <= LONGEST_NAME
    assert kept.isprintable()


async def test_an_unknown_table_is_unknown_on_every_route(server: Server) -> None:
    ida = server.client()
    asked: list[tuple[str, str, Json | None]] = [
        ("GET", "", None),
        ("GET", "/events", None),
        ("GET", "/choices?ply=0", None),
        ("GET", "/record", None),
        ("POST", "/actions", {"ply": 0, "actions": ["claim 1"]}),
        ("POST", "/seats", {}),
        ("POST", "/seats/0/leave", None),
        ("POST", "/seats/0/return", None),
        ("POST", "/seats/0/secret", None),
        ("POST", "/start", None),
        ("POST", "/next", None),
        ("POST", "/rematch", {"wish": True}),
        ("POST", "/end", {"wish": True}),
        ("POST", "/seats/0/stand-in", None),
        ("POST", "/say", {"word": "hello"}),
        ("POST", "/close", None),
    ]
    for table in ("q3v7n2kd8wjm", "x", "Q3V7N2KD8WJM", "q3v7n2kd8wj%00", "é" * 12, "x" * 5000, "..%2f.."):
        for method, path, body in asked:
            assert (await ida.refused(method, f"/api/tables/{table}{path}", body))[0] == 404, (table, path)
    assert (await ida.get("/health"))["tables"] == 0


async def test_another_players_seat_can_be_used_in_no_way(server: Server) -> None:
    ida, stranger = server.client(), server.client()
    table = await ida.create("me", "me")
    before = await ida.table(table)
    here = f"/api/tables/{table}"
    body = {"ply": 0, "actions": [f"claim {before['next_line'][0]['domino']}"]}
    assert await stranger.refused("POST", f"{here}/actions", body) == (403, "not_yours")
    for seat in ("0", "1", "-1", "2", "99999999999999999999"):
        for what in ("leave", "return", "secret"):
            assert await stranger.refused("POST", f"{here}/seats/{seat}/{what}") == (403, "not_yours")
    for what, code in (
        ("next", "not_yours"),
        ("rematch", "not_yours"),
        ("end", "not_yours"),
        ("seats/0/stand-in", "not_yours"),
        ("start", "not_host"),
        ("close", "not_host"),
    ):
        assert await stranger.refused("POST", f"{here}/{what}", {"wish": True}) == (403, code)
    assert await ida.table(table) == before


async def test_a_malformed_body_is_refused(server: Server) -> None:
    headers = {"content-type": "application/json"}
    for content in (
        b"",
        b"null",
        b"17",
        b"[]",
        b"{]",
        b"\xff\xfe",
        b'{"players": NaN}',
        b'{"players": 1e400}',
        b'{"players": ' + b"9" * 5000 + b"}",
        b'{"' + b"x" * 60_000 + b'": 1}',
        b'{"\\ud800": 1}',
        b"[" * 60_000,
        b'{"a":' * 10_000,
    ):
        for path in ("/api/tables", "/api/code", "/api/verify"):
            answer = await server.client().send("POST", path, content=content, headers=headers)
            assert refusal(answer) in ((422, "bad_field"), (400, "bad_request")), (path, content[:20])
            assert len(answer.content) < 1000, (path, content[:20])
    assert (await server.client().get("/health"))["tables"] == 0


@pytest.mark.parametrize("size", [65_537, 10_000_000])
async def test_an_oversized_body_is_refused(server: Server, size: int) -> None:
    ida = server.client()
    headers = {"content-type": "application/json"}
    for method, path in (("POST", "/api/tables"), ("PUT", "/api/me"), ("POST", "/api/verify")):
        answer = await ida.send(method, path, content=b" " * size, headers=headers)
        assert refusal(answer) == (413, "too_large")


async def test_choices_after_something_that_cannot_be_are_refused(server: Server) -> None:
    ida = server.client()
    path = f"/api/tables/{await ida.create('me', 'me')}/choices"
    for after in ("dance", "claim 1;claim 2;claim 3", "claim 99", "\0", "é", "place 9,9>9,8"):
        assert await ida.refused("GET", path, ply=0, after=after) == (422, "illegal_action")


async def test_an_unknown_bot_is_refused(server: Server) -> None:
    for spec in (
        "",
        "x" * 201,
        "greedy:",
        "greedy:depth=3",
        "os.system",
        "random:seed=" + "9" * 100,
        "\0",
        ":",
    ):
        body = {"seats": [{"kind": "bot", "bot": spec}]}
        assert (await server.client().refused("POST", "/api/tables", body))[0] == 422, spec


async def test_a_record_that_is_not_one_is_refused(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    await ida.play(table)
    good = (await ida.send("GET", f"/api/tables/{table}/record")).text
    assert (await ida.post("/api/verify", {"record": good}))["commitment"] in good
    lines = good.splitlines()
    bad = [
        "x",
        "\0",
        good[: len(good) // 2],
        good[::-1],
        good + good,
        "\n".join(line for line in lines if "secret" not in line),
        "\n".join(line for line in lines if "commitment" not in line),
        "\n".join(lines[:-1]),
        good.replace("commitment ", "commitment 0"),
        kd.Record.from_game(kd.Game(seed=7)).to_text(),
    ]
    for record in bad:
        assert await ida.refused("POST", "/api/verify", {"record": record}) == (422, "bad_record"), record
    for nothing in ("", "x" * (LONGEST_RECORD + 1), None, 7, [good]):
        assert await ida.refused("POST", "/api/verify", {"record": nothing}) == (422, "bad_field")


async def test_a_code_without_a_table_is_refused_in_any_spelling(server: Server) -> None:
    ida = server.client()
    await ida.create("me", "invited")
    for code in ("a", "a b c", "\0", "é è ê", "%", "_ _ _", "' OR 1=1", " "):
        assert await ida.refused("POST", "/api/code", {"code": code}) == (404, "no_code")


async def test_input_to_one_table_does_not_reach_another(server: Server) -> None:
    ida, stranger = server.client(), server.client()
    table, other = await ida.create("me", "me"), await stranger.create("me", "me")
    before = await ida.table(table)
    for action in ("claim 49", "dance", "discard", "x" * 40):
        await stranger.refused("POST", f"/api/tables/{other}/actions", {"ply": 0, "actions": [action]})
        await stranger.refused("POST", f"/api/tables/{table}/actions", {"ply": 0, "actions": [action]})
    assert await ida.table(table) == before
    assert (await ida.play(table))[-1]["kind"] == "deck_revealed"
