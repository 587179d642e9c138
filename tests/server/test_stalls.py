"""No input blocks the event loop for long: bodies report few faults, and a thread reads whole games.

`benches.table_load --hostile` measures it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, MutableMapping
from pkgutil import resolve_name
from typing import Any

import pytest
from pydantic import ValidationError
from support.authenticator import Authenticator
from support.clients import HOST, Json, Server, bodies

import kingdomino as kd
from kingdomino.server.tables.bots.bot_list import DEFAULT

MOST_FAULTS = 16
UNKNOWN = {f"{number:x}": 0 for number in range(5000)}
NESTED: list[tuple[str, Json]] = [
    ("/api/tables", {"seats": [UNKNOWN] * 4}),
    ("/api/tables", {"seats": [{}] * 5000}),
    ("/api/me/games", {"records": [UNKNOWN] * 50}),
    ("/api/me/games", {"records": [0] * 5000}),
]
"""Bodies with faults in their lists, and the paths of their routes."""
GAMES_AND_FILES = (
    "kingdomino.server.tables.core.registry.replay",
    "kingdomino.server.tables.history.records.replay",
    "kingdomino.server.tables.history.records.Imported.__init__",
    "kingdomino.server.tables.history.records.Imported.events",
    "kingdomino.server.tables.history.records.Imported.played",
    "kingdomino.server.tables.history.records.of_state",
    "kingdomino.server.tables.core.deal.check",
    "kingdomino.server.http.routes.games._statistics",
    "kingdomino.server.http.release._compressed",
    "kingdomino.svg.result",
)
"""Functions that read a whole game, or compress a file."""


BODIES = dict(bodies())


@pytest.mark.parametrize(("path", "body"), [*((path, UNKNOWN) for path in BODIES), *NESTED])
def test_no_body_has_many_faults(path: str, body: Json) -> None:
    with pytest.raises(ValidationError) as refused:
        BODIES[path].validate_python(body)
    assert refused.value.error_count() <= MOST_FAULTS


async def test_a_position_with_thousands_of_faults_is_refused_with_some(server: Server) -> None:
    text = f"kd1 2.second.random 1 claim:0 1@0,2@1 - {','.join(['1-48'] * 180)} C;C"
    body = {"position": text, "seats": [{"kind": "me"}, {"kind": "me"}]}
    answer = await server.client().send("POST", "/api/tables", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_position")
    assert 1 < len(answer.json()["faults"]) <= 20
    assert len(answer.content) < 5000


async def test_a_long_text_in_a_passkey_is_not_parsed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida = server.client()
    made = Authenticator(f"http://{HOST}").make((await ida.post("/api/me/passkeys/options"))["options"])
    monkeypatch.setattr("webauthn.verify_registration_response", lambda **_: pytest.fail("it was parsed"))
    made["response"]["attestationObject"] = "x" * 8001
    assert await ida.refused("POST", "/api/me/passkeys", {"credential": made}) == (403, "bad_passkey")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[bool]]:
    """Record for each of these functions whether the event loop ran it."""
    ran: dict[str, set[bool]] = {}

    def watch(target: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **more: Any) -> Any:  # noqa: ANN401
            ran.setdefault(target, set()).add(threading.current_thread() is threading.main_thread())
            return work(*arguments, **more)

        return watched

    for target in GAMES_AND_FILES:
        monkeypatch.setattr(target, watch(target, resolve_name(target)))
    return ran


async def test_whole_games_are_read_and_files_compressed_in_threads(
    server: Server, threads: dict[str, set[bool]]
) -> None:
    ida = server.client()
    table = await ida.create("me", {"kind": "bot", "bot": DEFAULT})
    await ida.play(table)
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    for path in ("/api/records", "/api/verify"):
        await ida.post(path, {"record": text})
    [game] = (await server.client().post("/api/me/games", {"records": [{"text": text}]}))["games"]
    for path in (
        f"/api/games/{game}",
        "/api/me/statistics",
        "/api/me/data",
    ):
        await ida.get(path)
    server.registry.drop(table)
    await ida.get(f"/api/tables/{table}")
    for path in (
        f"/api/games/{game}/record",
        f"/api/tables/{table}/picture",
        "/api/me/records",
        "/static/js/first.js",
    ):
        assert (await ida.send("GET", path, headers={"accept-encoding": "br"})).status_code == 200
    assert threads == {name: {False} for name in threads}
    assert len(threads) == len(GAMES_AND_FILES)


@pytest.mark.parametrize("path", ["/api/me/records", "/api/me/data"])
async def test_histories_are_sent_game_by_game(
    server: Server, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    ida, happened = server.client(), list[str]()
    texts = [kd.Record.from_game(finished(seed)).to_text() for seed in range(3)]
    await ida.post("/api/me/games", {"records": [{"text": text} for text in texts]})
    history = server.registry.store.history
    read = history.record

    async def record(game: str) -> str | None:
        happened.append("read")
        return await read(game)

    async def silent() -> MutableMapping[str, Any]:
        return await asyncio.Future()

    async def send(message: MutableMapping[str, Any]) -> None:
        if b"kingdomino-record" in message.get("body", b""):
            happened.append("sent")

    monkeypatch.setattr(history, "record", record)
    cookies = "; ".join(f"{name}={value}" for name, value in ida.cookies.items())
    headers = [(b"host", HOST.encode()), (b"cookie", cookies.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    await server.app(scope, silent, send)
    assert happened == ["read", "sent"] * 3


def finished(seed: int) -> kd.Game:
    game = kd.Game(seed=seed)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return game
