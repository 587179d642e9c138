"""``kingdomino review``."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event, get_ident
from typing import Any
from xml.etree import ElementTree

import pytest

import kingdomino as kd

Run = Callable[..., Any]
Refuses = Callable[..., None]
FEW = ("--playouts", 40, "--threads", 1)


@pytest.fixture(scope="module")
def record() -> kd.Record:
    """Return the record of a game between two weak players."""
    game, bot = kd.Game(seed=11), kd.bots.make("random", seed=3)
    while not game.is_over:
        game.play(bot.choose(game.position))
    return kd.Record.from_game(game, ["Ida", "Oskar"])


@pytest.fixture(scope="module")
def review(record: kd.Record) -> kd.analysis.Review:
    """Review the record as the command does."""
    *_, last = kd.analysis.reviews(record, kd.bots.Limit(playouts=40))
    return last


@pytest.fixture
def file(record: kd.Record, tmp_path: Path) -> Path:
    """Write the record as a text file."""
    path = tmp_path / "game.txt"
    path.write_text(record.to_text())
    return path


def test_every_decision_is_listed_with_its_cost_and_the_luck_between(
    run: Run, file: Path, review: kd.analysis.Review
) -> None:
    result = run("review", file, *FEW)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].endswith(" wins with 51 points.") or "wins" in lines[0]
    assert lines[1].split() == ["player", "played", "points", "chance", "grade", "best"]
    listed = [line.split() for line in lines[2:] if line[:2].strip().isdecimal()]
    assert [int(words[0]) for words in listed] == list(range(48))
    for words, decision in zip(listed, review.decisions, strict=True):
        assert words[1] == ["Ida", "Oskar"][decision.seat]
        assert " ".join(words).startswith(f"{decision.ply} {words[1]} {decision.action}")
        assert not decision.cost or f"{decision.cost:.1%}" in words
        assert decision.cost_points < 0.05 or f"{decision.cost_points:.1f}" in words
        assert decision.choices == 1 or decision.grade in words
    assert sum("% for " in line for line in lines) == len(review.luck)
    assert any(line.split()[:3] == ["Decisions", "cost", "Luck"] for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_long_name_leaves_room_for_the_table(run: Run, record: kd.Record, file: Path) -> None:
    file.write_text(record.to_text().replace("seat 0 Ida", f"seat 0 {'Ida' * 20}"))
    out = run("review", file, *FEW).out
    assert "Decisions cost" in out
    assert all(f"  {action}  " in out for action in record.actions() if str(action).startswith("claim"))


def test_a_record_comes_from_stdin(run: Run, refuses: Refuses, record: kd.Record, file: Path) -> None:
    one = ("--ply", 3, *FEW)
    assert run("review", "-", *one, typed=record.to_text()) == run("review", file, *one)
    refuses("review", "-", said=["stdin: line 1"])


def test_the_files_that_a_review_writes(
    run: Run, file: Path, tmp_path: Path, record: kd.Record, review: kd.analysis.Review
) -> None:
    names = ("json", "html", "svg", "annotated")
    options = [word for name in names for word in (f"--{name}", tmp_path / f"review.{name}")]
    assert run("review", file, *FEW, *options).status == 0
    texts = {name: (tmp_path / f"review.{name}").read_text() for name in names}
    assert kd.analysis.Review.from_json(texts["json"]) == review
    assert texts["html"] == kd.analysis.page(review, record)
    assert texts["svg"] == kd.analysis.graph(review, record)
    assert kd.Record.parse(texts["annotated"]) == kd.analysis.annotate(record, review)
    ElementTree.fromstring(texts["svg"])
    again = run("review", tmp_path / "review.annotated", *FEW, "--json", "-")
    assert again.out == texts["json"]


def test_one_decision_is_judged_alone(run: Run, file: Path, review: kd.analysis.Review) -> None:
    decision = max(review.decisions, key=lambda one: one.cost_points)
    result = run("review", file, "--ply", decision.ply, *FEW)
    assert result.status == 0
    assert f"{decision.action}: This cost {['Ida', 'Oskar'][decision.seat]} " in result.out
    assert f"the played action is {decision.place} of {decision.choices}; " in result.out
    rows = [line for line in result.out.splitlines() if f"{decision.best} " in line and "best" in line]
    assert rows
    if decision.why:
        assert str(decision.why)[:20] in result.out


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes(run: Run, tmp_path: Path) -> None:
    game = kd.Game(seed=7)
    for _ in range(5):
        game.play(game.legal_actions()[0])
    path = tmp_path / "unfinished.txt"
    path.write_text(kd.Record.from_game(game, hidden=False).to_text())
    result = run("review", path, *FEW, "--html", tmp_path / "x.html")
    assert result.status == 0
    assert "\n4  " in result.out
    assert "\n5  " not in result.out


def test_names_are_words_and_not_markup(run: Run, record: kd.Record, tmp_path: Path) -> None:
    game = record.replay()
    file = tmp_path / "names.txt"
    file.write_text(kd.Record.from_game(game, ["[/]", "[red]x[/red]"]).to_text())
    result = run("review", file, *FEW)
    assert result.status == 0
    assert "% for [/]" in result.out
    assert "% for [red]x[/red]" in result.out


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Make SIGINT interrupt this process, which ignores it if a shell started it in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_prints_the_results_so_far_for_one_decision(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, result_of, awaited, main = kd.analysis.judge, Future.result, Event(), get_ident()

    def noted(future: Future[Any], timeout: float | None = None) -> Any:  # noqa: ANN401
        awaited.set()
        return result_of(future, timeout)

    def interrupted(*arguments: Any, stop: Event, **options: Any) -> kd.analysis.Decision:  # noqa: ANN401
        assert awaited.wait(60)
        signal.pthread_kill(main, signal.SIGINT)
        if not stop.wait(5):  # a signal just before the main thread begins to wait does not wake it
            signal.pthread_kill(main, signal.SIGINT)
        assert stop.wait(60)
        return judge(*arguments, stop=stop, **options)

    monkeypatch.setattr(Future, "result", noted)
    monkeypatch.setattr(kd.analysis, "judge", interrupted)
    result = run("review", file, "--ply", 3, "--playouts", 10**9)
    assert result.status == 0
    assert "stopped; these are the results so far" in result.out
    assert "the played action is" in result.out


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (0, "stopped before the first result"),
        (1, "stopped before the first result"),
        (4, "stopped; these results cover 3 of 48 decisions"),
        (60, "stopped; these results cover all decisions, some of them roughly"),
    ],
)
def test_ctrl_c_prints_the_results_so_far(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: int, said: str
) -> None:
    reviews = kd.analysis.reviews

    def interrupted(*arguments: Any, **options: Any) -> Iterator[kd.analysis.Review]:  # noqa: ANN401
        growing = reviews(*arguments, **options)
        for _ in range(known):
            yield next(growing)
        growing.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(kd.analysis, "reviews", interrupted)
    page = tmp_path / "x.html"
    result = run("review", file, *FEW, "--html", page)
    assert result.status == 0
    assert said in result.out
    assert page.exists() == (known > 1)


def test_a_folder_is_summed_up(run: Run, record: kd.Record, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number, names in enumerate((["Ida", "Oskar"], ["Oskar", "Ida"], ["Oskar", "Ann"])):
        other = kd.Record.from_game(record.replay(), names)
        (folder / f"{number}.txt").write_text(other.to_text())
    result = run("review", folder, "--player", "Ida", *FEW)
    assert (result.status, result.err) == (0, "")
    *_, last = kd.analysis.reviews(record, kd.bots.Limit(playouts=40))
    cost = (last.seats[0].cost_points + last.seats[1].cost_points) / 2
    assert f"Over 2 games the decisions of Ida cost {cost:.0f} points a game." in result.out
    found = kd.analysis.summary([last, last], [0, 1])
    for theme in found.themes:
        row = next(line for line in result.out.splitlines() if line.startswith(theme.theme or "no one"))
        assert f"{theme.estimate.mean:.1f}" in row


def test_after_ctrl_c_only_the_reviewed_games_of_a_folder_count(
    run: Run, record: kd.Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = kd.Game(kd.Rules(3), seed=1)
    while not other.is_over:
        other.play(other.legal_actions()[0])
    games = (record, kd.Record.from_game(other, ["Ida", "Oskar", "Ann"]))
    for number, game in enumerate(games):
        (tmp_path / f"{number}.txt").write_text(game.to_text())
    reviews, summary = kd.analysis.reviews, kd.analysis.summary
    shared: list[kd.Rules | None] = []

    def interrupted(record: kd.Record, *arguments: Any, **options: Any) -> Iterator[kd.analysis.Review]:  # noqa: ANN401
        if record.rules.players == 3:
            raise KeyboardInterrupt
        return reviews(record, *arguments, **options)

    def noted(*arguments: Any, rules: kd.Rules | None) -> kd.analysis.Summary:  # noqa: ANN401
        shared.append(rules)
        return summary(*arguments, rules=rules)

    monkeypatch.setattr(kd.analysis, "reviews", interrupted)
    monkeypatch.setattr(kd.analysis, "summary", noted)
    result = run("review", tmp_path, "--player", record.players[0], *FEW)
    assert "Over 1 game the decisions of" in result.out
    assert shared == [record.rules]  # without them, the summary has no level


def test_faults_name_their_cause(refuses: Refuses, file: Path, tmp_path: Path) -> None:
    refuses("review", tmp_path, said=["is a folder: name the player with --player"])
    refuses("review", tmp_path, "--player", "Zoe", said=["no finished game of Zoe"])
    refuses("review", tmp_path, "--player", "Ida", "--ply", 1, said=["--ply is for the review of one game"])
    refuses("review", file, "--player", "Ida", said=["--player is for a folder"])
    refuses("review", tmp_path / "none.txt", said=["none.txt: No such file"])
    refuses("review", file, "--ply", 48, said=["there is no decision 48, only 0 to 47"])
    refuses("review", file, "--time", 0, said=["a limit's time is a number of seconds above 0"])
    refuses("review", file, "--playouts", -1, said=["a number of playouts is a whole number from 1"])
    for option in ("--html", "--svg", "--json", "--annotated"):
        refuses("review", file, "--ply", 1, option, "x", said=[f"{option} ", "without --ply"])
    for option in ("--html", "--svg", "--json", "--annotated"):  # before the search begins
        refuses("review", file, option, tmp_path / "none" / "x", said=["none: no such folder"])
    empty = tmp_path / "empty.txt"
    empty.write_text(kd.Record.from_game(kd.Game(seed=1)).to_text())
    refuses("review", empty, said=["empty.txt: nothing was played"])
    file.write_text(file.read_text().replace("0 claim", "1 claim", 1))
    refuses("review", file, said=["game.txt: line "])


@pytest.mark.parametrize("command", ["review", "analyse", "show", "verify"])
def test_an_error_names_the_line_of_the_file(refuses: Refuses, tmp_path: Path, command: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\n\nkingdomino-record 1\nrules 2.second.random\nclaim 49\n")
    refuses(command, file, said=["game.txt: line 5: "])
