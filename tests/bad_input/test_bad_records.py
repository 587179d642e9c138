"""Bad input: records that contradict themselves or the rules, are cut short, or cannot be read."""

import json
from typing import Any

import pytest
from setups import game_begun

import kingdomino as kd


def record_text() -> str:
    """Write down a finished game: lines 1-4, 5-8, …; actions by their order."""
    game = game_begun()
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return kd.Record.from_game(game, ["Ann", "Bob"], {"event": "a test"}).to_text()


TEXT = record_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kingdomino-record 1", "kingdomino-record 2", "line 1"),
        ("kingdomino-record 1\n", "", "line 1"),
        ("rules 2.second.random", "rules 2.third.random", "line 2.*third"),
        ("rules 2.second.random\n", "", "rules"),
        ("rules 2.second.random", "rules 3.second.random", "players"),
        ("seat 1 Bob", "seat 2 Bob", "seat"),
        ("seat 1 Bob\n", "", "1 names for 2 players"),
        ("tag event a test", "tag event a test\ntag event b", "line 6.*event.*second time"),
        ("opening 0 1 0 1", "opening 0 1 0", "opening|claim"),
        ("opening 0 1 0 1", "opening 0 1 2 1", "opening|seat 2"),
        ("opening 0 1 0 1", "opening 1 0 1 0", "line 9.*seat 1's turn, not seat 0's"),
        ("line 1 2 3 4", "line 1 2 3", "line 8.*3 dominoes, not 4"),
        ("line 1 2 3 4", "line 1 2 3 3", "line 8.*twice"),
        ("line 1 2 3 4", "line 1 2 3 49", "line 8.*49"),
        ("line 1 2 3 4\n", "", "line"),
        ("line 5 6 7 8", "line 4 5 6 7", "line 13.*domino 4 has been revealed before"),
        ("0 claim 1\n", "1 claim 1\n", "line 9.*seat 0's turn"),
        ("0 claim 1\n", "0 claim 5\n", "line 9.*domino 5 is not on offer"),
        ("0 claim 1\n", "0 claim\n", "line 9.*claim"),
        ("0 claim 1\n", "0 jump\n", "line 9.*jump"),
        ("0 claim 1\n", "0\n", "line 9.*the turn has no action"),
        ("0 claim 1\n", "zero claim 1\n", "line 9.*zero"),
        ("0 claim 1\n", "0 discard\n", "line 9.*claimed"),
        ("0 claim 1\n", "", "line 9"),
        ("winners", "losers", "losers"),
        ("winners 1", "winners 0", "result"),
        ("by score", "by luck", "result"),
        ("by score", "", "winners"),
        ("scores ", "scores 1", "result"),
        ("scores ", "scores x ", "x"),
    ],
)
def test_a_record_that_contradicts_itself_says_where(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(kd.RecordError, match=said):
        kd.Record.parse(TEXT.replace(old, new, 1))


def test_a_result_stands_in_the_record_of_a_finished_game_only() -> None:
    lines = TEXT.splitlines()
    cut = "\n".join(lines[:12] + lines[-2:])
    with pytest.raises(kd.RecordError, match="not over"):
        kd.Record.parse(cut)


@pytest.mark.parametrize("kept", range(0, len(TEXT), 7))
def test_a_record_that_was_cut_short_is_an_unfinished_game_or_an_error(kept: int) -> None:
    try:
        record = kd.Record.parse(TEXT[:kept])
    except kd.RecordError:
        return
    assert record.outcome is None or record.outcome == kd.Record.parse(TEXT).outcome
    assert kd.Record.parse(record.to_text()) == record
    assert record.actions == kd.Record.parse(TEXT).actions[: len(record.actions)] or record.outcome is None


def test_a_record_without_its_deck_can_be_looked_at_but_not_played_on() -> None:
    record = kd.Record.parse("\n".join(TEXT.splitlines()[:15]))
    assert len(record.positions()) == len(record.actions) + 1
    with pytest.raises(kd.RecordError, match="no deck"):
        record.replay()


def test_nothing_follows_the_end_of_a_game() -> None:
    with pytest.raises(kd.RecordError, match="line"):
        kd.Record.parse(TEXT.replace("\nscores", "\n0 claim 1\nscores"))
    with pytest.raises(kd.RecordError, match="line"):
        kd.Record.parse(TEXT.replace("\nscores", "\nline 25 26 27 28\nscores"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"players": ["Ann"]}, "1 names for 2 players"),
        ({"players": ["Ann", "Bob\nEve"]}, "Bob"),
        ({"players": ["Ann", ""]}, "name"),
        ({"players": ["Ann", " Bob"]}, "Bob"),
        ({"tags": {"a b": "c"}}, "a b"),
        ({"tags": {"": "c"}}, "tag"),
        ({"tags": {"a": "b\nc"}}, "tag"),
        ({"tags": {"a": "b\x00"}}, "tag"),
        ({"comments": {99: "late"}}, "99"),
        ({"comments": {0: "one\rtwo"}}, "comment"),
        ({"comments": {-1: "early"}}, "-1"),
    ],
)
def test_words_that_a_record_cannot_hold_are_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(kd.KingdominoError, match=said):
        kd.Record.from_game(game_begun(), **words)


def test_faults_of_a_record_in_json_name_the_place() -> None:
    good = json.loads(kd.Record.parse(TEXT).to_json())

    def broken(**changed: object) -> str:
        with pytest.raises(kd.RecordError) as error:
            kd.Record.from_json(json.dumps(good | changed))
        return str(error.value)

    events = good["events"]
    assert "format" in broken(format="kingdomino-record 2")
    assert "third" in broken(rules="2.third.random")
    assert "column" in broken(rules=2)
    assert "players" in broken(players=["Ann"])
    assert "event 1" in broken(events=events[1:])
    assert "event 2" in broken(events=[events[0], events[0], *events[1:]])
    assert "event 2" in broken(events=[events[0], {"seat": 1, "action": "claim 1"}, *events[2:]])
    assert "event 2" in broken(events=[events[0], {"seat": 0, "action": "jump"}, *events[2:]])
    assert "event 1" in broken(events=[{"line": [1, 2, 3, 99]}, *events[1:]])
    assert "column" in broken(events=[{"seat": 0}])
    assert "untagged enum" not in broken(events=[{"seat": 0}])  # who reads this need not know Rust
    assert "result" in broken(result={"scores": [1, 2], "winners": [0], "decided_by": "score"})
    assert "start" in broken(start="kd1")
    assert "extra" in broken(extra=1)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", '"text"', "{}", '{"format": 1}', "[" * 100_000])
def test_a_text_that_is_no_record_in_json_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.RecordError):
        kd.Record.from_json(text)
