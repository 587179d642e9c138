"""Bad input: records that contradict themselves or the rules, are cut short, or are unreadable."""

import json
import pickle
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.setups import game_begun

import kingdomino as kd


def record_text() -> str:
    """Return the record of a finished game: lines 1-4, 5-8, …; actions by their order."""
    game = game_begun()
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return kd.Record.from_game(game, ["Ann", "Bob"], {"event": "a test"}).to_text()


TEXT = record_text()


CONTRADICTIONS = [
    ("kingdomino-record 1", "kingdomino-record 3", "line 1"),
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
]


FAULTS = (Path(__file__).parents[2] / "docs/formats/record.md").read_text("utf-8").partition("## Faults")[2]
DOCUMENTED = {
    code for row in re.findall(r"^\| (`.*?) \|", FAULTS, re.MULTILINE) for code in re.findall("`(.*?)`", row)
}
WORDS = Path(kd.__file__).parent / "server/static/words"


@pytest.mark.parametrize(("old", "new", "said"), CONTRADICTIONS)
def test_a_contradictory_record_has_a_fault_with_a_place(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(kd.RecordError, match=said) as caught:
        kd.Record.parse(TEXT.replace(old, new, 1))
    error = caught.value
    assert error.fault is not None
    assert error.fault.code in DOCUMENTED
    assert str(error.fault) == str(error)
    place = re.match(r"line (\d+): ", str(error))
    assert error.number == (int(place[1]) if place else None)
    assert (error.refusal is not None) == (error.fault.code == "illegal")
    assert pickle.loads(pickle.dumps(error)).fault == error.fault


@pytest.mark.parametrize(
    ("old", "new", "fault", "number"),
    [
        ("line 1 2 3 4", "line 1 2 3", {"code": "line_length", "found": 3, "expected": 4}, 8),
        ("line 5 6 7 8", "line 4 5 6 7", {"code": "seen_before", "dominoes": (kd.DOMINOES[3],)}, 13),
        ("0 claim 1\n", "1 claim 1\n", {"code": "turn", "seat": 0}, 9),
        ("seat 1 Bob\n", "", {"code": "names", "found": 1, "expected": 2}, None),
        ("kingdomino-record 1", "kingdomino-record 3", {"code": "format"}, 1),
        ("winners 1", "winners 0", {"code": "result"}, None),
    ],
)
def test_a_fault_has_its_facts(old: str, new: str, fault: dict[str, Any], number: int | None) -> None:
    with pytest.raises(kd.RecordError) as caught:
        kd.Record.parse(TEXT.replace(old, new, 1))
    assert caught.value.number == number
    assert caught.value.fault == kd.Fault(**fault, sentence=str(caught.value))


def test_an_illegal_action_in_a_record_says_why() -> None:
    with pytest.raises(kd.RecordError) as caught:
        kd.Record.parse(TEXT.replace("0 claim 1\n", "0 claim 5\n", 1))
    assert caught.value.refusal
    assert (caught.value.refusal.code, caught.value.refusal.domino) == ("not_on_offer", kd.DOMINOES[4])
    text = kd.Record.parse(TEXT).to_json().replace('"claim 1"', '"claim 5"', 1)
    with pytest.raises(kd.RecordError) as caught:
        kd.Record.from_json(text)
    assert str(caught.value).startswith(f"event {caught.value.number}: ")
    assert caught.value.refusal


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_fault_of_a_record_can_be_said_in_every_language(language: str) -> None:
    words = json.loads((WORDS / f"{language}.record.json").read_text("utf-8"))
    added = {"no_decision", "no_dynasty", "no_seat"}
    codes = DOCUMENTED - {"illegal"} | {f"why_{code}" for code in kd.RefusalCode} | added
    assert {f"record.{code}" for code in codes} | {"record.in_line", "record.in_event"} == {
        key for key in words if key.startswith("record.")
    }


def test_a_result_stands_in_the_record_of_a_finished_game_only() -> None:
    lines = TEXT.splitlines()
    cut = "\n".join(lines[:12] + lines[-2:])
    with pytest.raises(kd.RecordError, match="not over"):
        kd.Record.parse(cut)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "an annotation needs at least one figure"),
        ("win_rate 0.5 0.5", '\'?"win_rate" is not one of win_rates, mean_scores'),
        ("win_rates", "win_rates needs one number a seat"),
        ("win_rates 0.5", "win_rates: 1 numbers for 2 seats"),
        ("win_rates 0.5 half", 'win_rates: "half" is not a number'),
        ("win_rates 0.5 1.5", "win_rates: 1.5 is not between 0 and 1"),
        ("win_rates 0.5 nan", 'win_rates: "nan" is not a number'),
        ("mean_scores 1e3 5", 'mean_scores: "1e3" is not a number'),
        ("mean_margin 1 99999", "mean_margin: 99999 is not between -10000 and 10000"),
        ("cost 0.1 0.2", "cost is one number"),
        ("cost -0.1", "cost: -0.1 is not between 0 and 1"),
        ("cost 0.1 cost 0.2", '"cost" is given for the second time'),
        ("best jump 3", "jump"),
        ("best claim 9", "best claim 9: domino 9 is not on offer"),
        ("cost 0.1\nannotation cost 0.1", '"annotation" is given for the second time'),
    ],
)
def test_a_bad_annotation_is_refused_with_its_line(line: str, said: str) -> None:
    good = "annotation win_rates 0.5 0.5 cost 0\n0 claim 1\n"
    annotated = TEXT.replace("record 1", "record 2").replace("0 claim 1\n", good, 1)
    assert kd.Record.parse(annotated).annotations
    with pytest.raises(kd.RecordError, match=f"line {9 + line.count(chr(10))}: .*{said}"):
        kd.Record.parse(annotated.replace("win_rates 0.5 0.5 cost 0", line, 1))


def test_a_record_of_the_first_version_has_no_annotations() -> None:
    with pytest.raises(kd.RecordError, match='line 9: annotations need the first line "kingdomino-record 2"'):
        kd.Record.parse(TEXT.replace("0 claim 1\n", "annotation cost 0\n0 claim 1\n", 1))
    good = json.loads(kd.Record.parse(TEXT).to_json())
    with pytest.raises(kd.RecordError, match='format: annotations need "kingdomino-record 2"'):
        kd.Record.from_json(json.dumps(good | {"annotations": {"0": {"cost": 0}}}))


@pytest.mark.parametrize(
    ("ply", "annotation", "said"),
    [
        (0, {"cost": 2}, "annotation before ply 0: cost: 2 is not between 0 and 1"),
        (3, {"best": "claim 9"}, "annotation before ply 3: best claim 9: domino 9 is not on offer"),
        (48, {"cost": 0}, "annotation before ply 48: cost: no action follows"),
        (49, {"cost": 0}, "annotation before ply 49: the game has no such ply"),
        (0, {}, "annotation before ply 0: an annotation needs"),
        (0, {"grade": "good"}, "grade"),
    ],
)
def test_a_bad_annotation_in_json_is_refused_with_its_ply(ply: int, annotation: object, said: str) -> None:
    good = json.loads(kd.Record.parse(TEXT).to_json()) | {"format": "kingdomino-record 2"}
    with pytest.raises(kd.RecordError, match=said):
        kd.Record.from_json(json.dumps(good | {"annotations": {str(ply): annotation}}))


@pytest.mark.parametrize(
    "annotation",
    [
        kd.Annotation(),
        kd.Annotation(win_rates=(0.5, float("nan"))),
        kd.Annotation(mean_scores=(float("inf"), 0)),
        kd.Annotation(best=kd.Action.claim(48)),
    ],
)
def test_an_impossible_annotation_is_refused(annotation: kd.Annotation) -> None:
    with pytest.raises(kd.RecordError, match="annotation before ply 0"):
        kd.Record.parse(TEXT).annotated(annotations={0: annotation})


def test_a_record_that_was_cut_short_is_an_unfinished_game_or_an_error() -> None:
    whole = kd.Record.parse(TEXT)
    for kept in range(0, len(TEXT), 7):
        with suppress(kd.RecordError):
            record = kd.Record.parse(TEXT[:kept])
            assert record.outcome() in (None, whole.outcome())
            assert kd.Record.parse(record.to_text()) == record
            assert record.actions() == whole.actions()[: len(record.actions())]


def test_a_record_without_its_deck_is_read_only() -> None:
    record = kd.Record.parse("\n".join(TEXT.splitlines()[:15]))
    assert len(record.positions()) == len(record.actions()) + 1
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
    assert "format" in broken(format="kingdomino-record 3")
    assert "third" in broken(rules="2.third.random")
    assert "column" in broken(rules=2)
    assert "players" in broken(players=["Ann"])
    assert "event 1" in broken(events=events[1:])
    assert "event 2" in broken(events=[events[0], events[0], *events[1:]])
    assert "event 2" in broken(events=[events[0], {"seat": 1, "action": "claim 1"}, *events[2:]])
    assert "event 2" in broken(events=[events[0], {"seat": 0, "action": "jump"}, *events[2:]])
    assert "event 1" in broken(events=[{"line": [1, 2, 3, 99]}, *events[1:]])
    assert "column" in broken(events=[{"seat": 0}])
    assert "untagged enum" not in broken(events=[{"seat": 0}])  # readers need not know Rust
    assert "result" in broken(result={"scores": [1, 2], "winners": [0], "decided_by": "score"})
    assert "start" in broken(start="kd1")
    assert "extra" in broken(extra=1)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", '"text"', "{}", '{"format": 1}', "[" * 100_000])
def test_a_text_that_is_no_record_in_json_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.RecordError):
        kd.Record.from_json(text)
