"""Collections of records: reading them from files, folders and arena stores, and the table of results."""

import gzip
import json
import pickle
import re
from collections import Counter
from pathlib import Path

import pytest

import kingdomino as kd
from kingdomino.cli import main


def played(seed: int, players: tuple[str, ...] = (), tags: dict[str, str] | None = None) -> kd.Record:
    """Return the record of a game between greedy bots."""
    game, greedy = kd.Game(kd.Rules(harmony=True), seed=seed), kd.bots.make("greedy")
    while not game.is_over:
        game.play(greedy.choose(game.position))
    return kd.Record.from_game(game, players, tags or {})


RECORDS = [played(seed) for seed in range(4)]
STORE = [
    {"format": "kingdomino-arena 1", "plan": {}, "check": "0"},
    {"run": {"date": "2026-11-26"}, "check": "0"},
    {"game": 0, "record": json.loads(RECORDS[0].to_json()), "check": "0"},
    {"game": 1, "void": "its process died twice", "check": "0"},
]


def store(*more: str) -> str:
    """Write the store of an arena run, with these lines at its end."""
    return "".join(f"{json.dumps(line)}\n" for line in STORE) + "".join(more)


def test_a_folder_is_read_by_name_with_the_folders_in_it(tmp_path: Path) -> None:
    (tmp_path / "later").mkdir()
    (tmp_path / "a.txt").write_text(RECORDS[0].to_text() + RECORDS[1].to_text(), encoding="utf-8-sig")
    (tmp_path / "later" / "b.jsonl").write_text(f"{RECORDS[2].to_json()}\n\n{RECORDS[3].to_json()}\n")
    (tmp_path / "report.md").write_text("no record")
    assert list(kd.games.read(tmp_path)) == RECORDS
    assert list(kd.games.read(tmp_path / "later", str(tmp_path / "a.txt"))) == [*RECORDS[2:], *RECORDS[:2]]


def test_a_json_file_may_have_a_record_on_many_lines(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(json.loads(RECORDS[0].to_json()), indent=1))
    assert list(kd.games.read(tmp_path)) == RECORDS[:1]


def test_an_arena_store_gives_its_games(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(store('{"game": 2, "rec'))
    assert list(kd.games.read(file)) == RECORDS[:1]
    game = json.dumps({"game": 2, "record": json.loads(RECORDS[1].to_json())})
    file.write_text(store('{"game": 2, "rec\n', '{"cut": 5}\n', f"{game}\n"))
    assert list(kd.games.read(file)) == RECORDS[:2]


def test_the_error_for_a_bad_record_names_it(tmp_path: Path) -> None:
    file, lines = tmp_path / "game.txt", tmp_path / "games.jsonl"
    for content, reason in (("hello", "game.txt: "), ("\xff", "game.txt: not a text file")):
        file.write_bytes(content.encode("latin-1"))
        with pytest.raises(kd.RecordError, match=reason):
            list(kd.games.read(file))
    for text, reason in (
        (store("half\n", "{}\n"), "games.jsonl, line 5: not an object in JSON"),
        (f"{RECORDS[0].to_json()}\nhalf", "games.jsonl, line 2: not an object in JSON"),
        ('{"format": "kingdomino-record 9"}', "games.jsonl, line 1: "),
    ):
        lines.write_text(text)
        with pytest.raises(kd.RecordError, match=reason):
            list(kd.games.read(lines))
    with pytest.raises(FileNotFoundError):
        list(kd.games.read(tmp_path / "nothing.txt"))


def test_a_table_has_a_row_for_each_seat_of_a_finished_game() -> None:
    unfinished = kd.Record.from_game(kd.Game(seed=1))
    named = played(0, ("Ida", "Oskar"))
    rows = list(kd.games.rows([unfinished, named, RECORDS[1]]))
    assert [(row["game"], row["seat"], row["player"]) for row in rows] == [
        (1, 0, "Ida"),
        (1, 1, "Oskar"),
        (2, 0, None),
        (2, 1, None),
    ]
    outcome = named.outcome()
    assert outcome is not None
    assert [row["score"] for row in rows[:2]] == [score.total for score in outcome.scores]
    assert [row["margin"] for row in rows[:2]] == [rows[0]["score"] - rows[1]["score"], -rows[0]["margin"]]
    assert [row["place"] for row in rows[:2]] == list(outcome.places)
    assert sum(row["share"] for row in rows[:2]) == 1


def test_a_row_names_the_bot_the_same_in_every_game_and_the_file(tmp_path: Path) -> None:
    run = ["simulate", "--bots", "random,king:playouts=1", "--games", "2", "--seed", "1"]
    assert main([*run, "--records", str(tmp_path)]) == 0
    rows = list(kd.games.rows(tmp_path))
    assert [row["player"] for row in rows] == [row["bot"] for row in rows]
    assert sorted(Counter(row["bot"] for row in rows).items()) == [("king:playouts=1", 2), ("random", 2)]
    assert len({row["tags"][f"bot-{row['seat']}"] for row in rows}) == 4  # each had a seed of its own
    assert [Path(row["file"] or "").name for row in rows] == ["game-000001.txt"] * 2 + ["game-000002.txt"] * 2
    [person, unreadable] = kd.games.rows([played(0, ("Ida", "Oskar"), {"bot-1": "Not a spec"})])
    assert (person["bot"], unreadable["bot"], person["file"]) == (None, "Not a spec", None)


BAD = RECORDS[3].to_text().replace("claim", "place", 1)
SOURCES = {
    "text": ("a.txt", [RECORDS[0].to_text(), BAD, RECORDS[1].to_text()]),
    "JSON lines": ("a.jsonl", [f"{RECORDS[0].to_json()}\n", '{"rules": 3}\n', f"{RECORDS[1].to_json()}\n"]),
    "half a line": ("a.jsonl", [f"{RECORDS[0].to_json()}\n", '{"rules"\n', f"{RECORDS[1].to_json()}\n"]),
    "an arena store": (
        "a.jsonl",
        [store(), '{"game": 2, "record": {}}\n', f'{{"game": 3, "record": {RECORDS[1].to_json()}}}\n'],
    ),
}


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(("name", "parts"), SOURCES.values(), ids=SOURCES)
def test_a_bad_record_leaves_the_others_where_one_asks_for_it(
    tmp_path: Path, name: str, parts: list[str], compressed: bool
) -> None:
    text = "".join(parts).encode()
    file = tmp_path / (f"{name}.gz" if compressed else name)
    file.write_bytes(gzip.compress(text) if compressed else text)
    with pytest.raises(kd.RecordError, match=re.escape(str(file))):
        list(kd.games.read(tmp_path))
    assert list(kd.games.read(tmp_path, on_error="skip")) == RECORDS[:2]
    faults: list[kd.RecordError] = []
    assert list(kd.games.read(file, on_error=faults.append)) == RECORDS[:2]
    [fault] = faults
    before = parts[0].count("\n")
    assert (fault.file, fault.record) == (str(file), 2)
    assert fault.line is not None
    assert before < fault.line <= before + parts[1].count("\n")
    assert f"line {fault.line}" in str(fault)
    assert pickle.loads(pickle.dumps(fault)).line == fault.line


def test_a_file_that_is_no_text_is_skipped_as_one_fault(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff")
    (tmp_path / "b.txt").write_text(RECORDS[0].to_text())
    for name, content in (("c.txt.gz", gzip.compress(b"kingdomino")[:-4]), ("d.jsonl.gz", b"no gzip")):
        (tmp_path / name).write_bytes(content)
    faults: list[kd.RecordError] = []
    assert list(kd.games.read(tmp_path, on_error=faults.append)) == RECORDS[:1]
    files = [Path(str(fault.file)).name for fault in faults]
    assert (files, {fault.record for fault in faults}) == (["a.txt", "c.txt.gz", "d.jsonl.gz"], {None})


def test_another_way_to_treat_errors_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(kd.KingdominoError, match="'ignore'"):
        kd.games.read(tmp_path, on_error="ignore")  # type: ignore[arg-type]


def test_a_table_is_made_of_a_file_or_a_folder_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(RECORDS[0].to_text())
    expected = [row | {"file": str(tmp_path / "a.txt")} for row in kd.games.rows(RECORDS[:1])]
    assert list(kd.games.rows(str(tmp_path))) == list(kd.games.rows(tmp_path / "a.txt")) == expected
    with pytest.raises(TypeError, match="records or the name of a file"):
        list(kd.games.rows(["a.txt"]))  # type: ignore[list-item]


def test_an_error_counts_the_lines_of_the_whole_file(tmp_path: Path) -> None:
    lines = ["", "", *(RECORDS[0].to_text() + RECORDS[1].to_text()).splitlines()]
    wrong = len(lines) - 5
    lines[wrong] = "claim 49"
    file = tmp_path / "games.txt"
    file.write_text("\n".join(lines))
    with pytest.raises(kd.RecordError, match=f"line {wrong + 1}") as raised:
        list(kd.games.read(file))
    assert raised.value.number == wrong + 1
    assert raised.value.fault is not None
    assert kd.games.parse("\n\n" + RECORDS[0].to_text()) == RECORDS[:1]
