"""Texts that people paste: the library, the command line, HTTP and the page read the same spellings of each."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.clients import Server
from support.node import run_node

import kingdomino as kd
from kingdomino.cli import main

GAME = kd.Game(seed=7)
for _ in range(9):
    GAME.play(GAME.legal_actions()[0])
POSITION = GAME.position.to_text()
RECORD = kd.Record.from_game(GAME, players=["Ida", "Oskar"])
KINGDOM = next(str(kingdom.to_text()) for kingdom in GAME.position.kingdoms if kingdom.crowns)

SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is written": str,
    "a byte-order mark": lambda text: f"\ufeff{text}",
    "blank lines before the first": lambda text: f"\n  \n\n{text}",
    "spaces around it": lambda text: f" \t{text}  ",
    "line ends after it": lambda text: f"{text}\n\n\n",
    "no line end after it": str.rstrip,
    "Windows line ends": lambda text: text.replace("\n", "\r\n") + "\r\n",
    "all of it": lambda text: "\ufeff \r\n\r\n  " + text.replace("\n", "\r\n") + " \r\n \r\n",
}
PARSERS: dict[str, Callable[[str], Any]] = {
    POSITION: kd.Position.parse,
    KINGDOM: kd.Kingdom.parse,
    "2.second.random.harmony": kd.Rules.parse,
    "place 1,0>2,0": kd.Action.parse,
    RECORD.to_text(): kd.Record.parse,
    RECORD.to_json(): kd.Record.from_json,
}

pytestmark = pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)


def test_the_library_reads_every_spelling(spelled: Callable[[str], str]) -> None:
    for text, parse in PARSERS.items():
        assert parse(spelled(text)) == parse(text)
    for text in (RECORD.to_text(), RECORD.to_json()):
        assert kd.Record.parse(spelled(text)) == RECORD
        assert kd.games.parse(spelled(text)) == [RECORD]
        assert kd.games.parse(spelled(f"{spelled(text)}\n{spelled(text)}")) == [RECORD, RECORD]


def test_the_command_line_reads_every_spelling(
    spelled: Callable[[str], str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "pasted.txt"
    for text in (POSITION, KINGDOM, RECORD.to_text(), RECORD.to_json()):
        assert main(["show", text]) == 0
        shown = capsys.readouterr().out
        file.write_bytes(spelled(text).encode())
        for given in (str(file), spelled(text)):
            assert main(["show", given]) == 0
            assert capsys.readouterr().out == shown


async def test_the_server_reads_every_spelling(server: Server, spelled: Callable[[str], str]) -> None:
    client = server.client()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    created = await client.post("/api/tables", {"position": spelled(POSITION), "seats": seats})
    assert created["table"]["start"]["position"] == POSITION
    for text in (RECORD.to_text(), RECORD.to_json()):
        watched = await client.post("/api/records", {"record": spelled(text)})
        assert [player["name"] for player in watched["game"]["players"]] == ["Ida", "Oskar"]


def test_the_page_reads_every_spelling(spelled: Callable[[str], str]) -> None:
    script = """
    import { readFileSync } from "node:fs";
    const { isJson, isRecord, splitRecords, trimmed } = await import(pasted);
    const { texts, position } = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify({
      position: trimmed(position), other: isRecord(position),
      kinds: texts.map((text) => [isRecord(text), isJson(text)]),
      records: texts.map((text) => splitRecords(text)),
    }));
    """
    text, json = RECORD.to_text(), RECORD.to_json()
    texts = [
        spelled(text),
        spelled(json),
        spelled(f"{spelled(text)}\n{spelled(text)}"),
        spelled(f"{json}\n{json}"),
    ]
    sent = {"texts": texts, "position": spelled(POSITION)}
    read = run_node(script, sent, pasted="net/pasted.js")
    assert (read["position"], read["other"]) == (POSITION, False)
    assert read["kinds"] == [[True, False], [True, True], [True, False], [True, True]]
    assert [[kd.Record.parse(one) for one in each] for each in read["records"]] == [
        [RECORD],
        [RECORD],
        [RECORD, RECORD],
        [RECORD, RECORD],
    ]
