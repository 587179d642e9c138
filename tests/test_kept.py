"""Results of long measurements, which `benches.kept` keeps."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import kingdomino as kd
from benches import kept
from benches.kept import measured

INPUTS = {"one": 1, "two": 2, "three": 3}


@pytest.fixture(autouse=True)
def _built_from_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "commit", lambda: "3f2c1a9b8d7e")
    monkeypatch.setattr(kept, "available_cores", lambda: 1)


def unused(given: int) -> int:
    raise AssertionError(given)


def test_what_is_measured_once_is_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "x.part.jsonl"
    assert measured(file, {"one": 1}, str) == ["1"]
    assert measured(file, INPUTS, lambda one: one * 10) == ["1", 20, 30]
    assert measured(file, INPUTS, unused) == ["1", 20, 30]
    first, *others = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert first == {"commit": "3f2c1a9b8d7e"}
    assert sorted(others) == [["one", "1"], ["three", 30], ["two", 20]]


@pytest.mark.parametrize("cut", [1, 5, 11])
def test_half_a_line_at_the_end_costs_one_result(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "x.part.jsonl"
    measured(file, {"one": 1}, str)
    file.write_text(file.read_text(encoding="utf-8") + '["two", "2"]\n'[:-cut], encoding="utf-8")
    assert measured(file, INPUTS, lambda one: one * 10) == ["1", 20, 30]
    assert measured(file, INPUTS, unused) == ["1", 20, 30]


def test_results_of_two_commits_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.part.jsonl"
    measured(file, {"one": 1}, str)
    monkeypatch.setattr(kept, "commit", lambda: "e8da037")
    with pytest.raises(kd.KingdominoError, match="results are of commit 3f2c1a9b8d7e, and this is e8da037"):
        measured(file, INPUTS, str)


def test_a_file_that_does_not_name_its_commit_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "x.part.jsonl"
    file.write_text('["one", "kept"]\n', encoding="utf-8")
    assert measured(file, INPUTS, str) == ["kept", "2", "3"]


def test_ctrl_c_does_not_wait_for_what_has_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shut, begun = Event(), list[int]()

    class Noted(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            shut.set()
            super().shutdown(wait=wait)

    def measure(number: int) -> int:
        begun.append(number)
        if number == 0:
            raise KeyboardInterrupt
        shut.wait()
        return number

    monkeypatch.setattr(kept, "ThreadPoolExecutor", Noted)
    with pytest.raises(KeyboardInterrupt):
        measured(tmp_path / "x.part.jsonl", {str(number): number for number in range(9)}, measure)
    assert begun in ([0], [0, 1])
