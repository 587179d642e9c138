"""The terminal game, with scripted typing."""

import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import text
from rich.console import Console
from support.outcomes import ended, totals
from support.setups import numbers

import kingdomino as kd
from kingdomino.cli.files import read_records
from kingdomino.cli.terminal import hints, seats, view, words
from kingdomino.cli.terminal.choices import choices
from kingdomino.cli.terminal.commands import Command, parse
from kingdomino.cli.terminal.session import Session

Sit = Callable[..., Any]

ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3, "first"),
    kd.Rules(3, "second", harmony=True),
    kd.Rules(4, middle_kingdom=True),
]


@pytest.fixture(autouse=True)
def _quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "LIMIT", kd.bots.Limit(playouts=50))


def new(*specs: str, rules: kd.Rules | None = None, seed: int = 7, dynasty: str | None = None) -> Session:
    rules = rules or kd.Rules(2)
    return Session.new(rules, seats.from_specs(specs or ["me"], rules.players), seed, dynasty)


def first_choice(position: kd.Position) -> str:
    return str(choices(position)[0].number)


@pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
def test_a_whole_game_is_played_to_the_final_scores(sit: Sit, rules: kd.Rules) -> None:
    session = new(rules=rules)
    sitting = sit(session)
    assert sitting.status == 0
    assert session.game.is_over
    assert "The end" in sitting.shown
    assert words.result(ended(session.game), session.names, session.game.position.kingdoms) in sitting.shown
    assert kd.Record.from_game(session.game).replay() == session.game
    assert max(map(len, sitting.shown.splitlines())) <= 80


@pytest.mark.parametrize(
    "specs",
    [
        ["me", "me"],
        ["me:Ida", "greedy", "me:Oskar"],
        ["random", "me", "random:seed=5", "me"],
        ["greedy", "random", "greedy", "random"],
    ],
)
def test_people_and_bots_sit_in_any_mix(sit: Sit, specs: list[str]) -> None:
    session = new(*specs, rules=kd.Rules(len(specs)))
    sitting = sit(session)
    assert session.game.is_over
    people = {f"{seat.name} > " for seat in session.seats if seat.bot is None}
    afterwards = ("Save", "Type review")
    assert {prompt for prompt in sitting.prompts if not prompt.startswith(afterwards)} == people


def test_an_action_is_chosen_by_number_or_typed(sit: Sit) -> None:
    position = new("me", "me").game.position
    number = position.line[2].domino.number
    for typed in (str(number), f"claim {number}", f"  CLAIM   {number} "):
        session = new("me", "me")
        sit(session, typed, ends=True)
        assert session.game.history == (kd.Action.claim(number),)


def test_a_placement_is_chosen_by_number_or_typed(sit: Sit) -> None:
    def at_first_placement() -> Session:
        session = new("me", "me")
        while session.game.position.phase != "place":
            session.game.play(session.game.legal_actions()[0])
        return session

    offered = choices(at_first_placement().game.position)
    placement = offered[4].action.placement
    for typed in ("5", f"place {placement}", str(placement)):
        session = at_first_placement()
        sit(session, typed, ends=True)
        assert session.game.history[-1] == offered[4].action


def test_placements_are_listed_with_their_points_best_first() -> None:
    game, bot = kd.Game(seed=3), kd.bots.make("greedy")
    while not game.is_over:
        position = game.position
        if position.phase == "place" and position.domino and position.to_move is not None:
            kingdom, offered = position.kingdoms[position.to_move], choices(position)
            assert {choice.action for choice in offered} == set(position.legal_actions()) - {
                kd.Action.discard()
            }
            assert [choice.number for choice in offered] == list(range(1, len(offered) + 1))
            gains = [choice.gain for choice in offered]
            assert gains == sorted(gains, key=lambda gain: -(gain or 0))
            for choice in offered:
                assert choice.action.placement
                after = kingdom.place(position.domino, choice.action.placement)
                assert choice.gain == after.score().total - kingdom.score().total
        game.play(bot.choose(position))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", "99 is not one of the choices"),
        ("claim 99", "99"),
        ("claim", "claim"),
        ("place 1,0>2,0", "claim"),
        ("1,0>2,0", "claim"),
        ("place 1,0", "1,0"),
        ("discard", ""),
        ("undoo", "did you mean 'undo'?"),
        ("9" * 5000, "unknown command"),
        ("clam 3", "did you mean 'claim'?"),
        ("undo now", "type ? for help"),
        ("fox", "unknown command 'fox'; type ? for help"),
        ("undo", "there is nothing to take back"),
        ("save", "save where?"),
        ("save /nowhere/at/all.txt", "No such file or directory"),
        ("²", "unknown command"),
        ("\x1b[A", "unknown command"),
    ],
)
def test_a_refused_input_says_why_asks_again_and_changes_nothing(sit: Sit, typed: str, said: str) -> None:
    session, untouched = new("me", "me"), new("me", "me")
    sitting = sit(session, typed, ends=True)
    assert session.game == untouched.game
    assert said in sitting.shown.replace("\n", " ")
    assert len([prompt for prompt in sitting.prompts if not prompt.startswith("Save")]) == 2


@given(text())
def test_any_typed_text_is_understood_or_refused(typed: str) -> None:
    position = new("me", "me").game.position
    with suppress(kd.KingdominoError):
        assert isinstance(parse(typed, choices(position)), kd.Action | Command)


@pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
def test_unseen_counts_the_dominoes_still_in_the_deck(rules: kd.Rules) -> None:
    game, console = kd.Game(rules, seed=7), Console(file=StringIO(), width=200)
    while not game.is_over:
        position = game.position
        hidden = len(set(game.deck) & position.unseen)
        with console.capture() as captured:
            console.print(view.unseen(position, console))
        counted = captured.get().splitlines()[0].split()
        assert int(counted[0]) == len(position.unseen)
        assert (int(counted[4]) if len(counted) > 4 else len(position.unseen)) == hidden
        game.play(game.legal_actions()[0])


def test_help_score_unseen_map_and_show_change_nothing(sit: Sit) -> None:
    session, untouched = new("me", "me"), new("me", "me")
    sitting = sit(session, "?", "help", "score", "unseen", "map", "show", "", ends=True)
    assert session.game == untouched.game
    for said in ("save FILE", "total", "44 not seen yet", "20 of them still in the deck"):
        assert said in sitting.shown


def test_undo_goes_back_to_ones_own_previous_decision(sit: Sit) -> None:
    seen: list[kd.Position] = []

    def watch(position: kd.Position) -> str:
        seen.append(position)
        return "undo" if len(seen) in (3, 4) else first_choice(position)

    session = new("me", "greedy")
    sit(session, watch=watch)
    first, second, _, fourth, fifth, *_ = seen
    assert (fourth, fifth) == (second, first)
    assert session.game.is_over


def test_undo_works_after_resuming(sit: Sit, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    session = new("me", "me")
    line = session.game.position.line
    sit(session, str(line[0].domino.number), str(line[1].domino.number), f"save {file}", ends=True)
    resumed = Session.resume(read_records(file))
    assert resumed.game == session.game
    sit(resumed, "undo", ends=True)
    assert resumed.game.history == session.game.history[:1]


def test_a_saved_game_goes_on_as_if_it_had_not_been_left(sit: Sit, tmp_path: Path) -> None:
    whole = sit(new("me:Ida", "random:seed=3")).game
    for decisions in (1, 4, 9):
        file, session, seen = (
            tmp_path / f"{decisions}.txt",
            new("me:Ida", "random:seed=3"),
            list[kd.Position](),
        )

        def watch(
            position: kd.Position, seen: list[kd.Position] = seen, file: Path = file, after: int = decisions
        ) -> str:
            seen.append(position)
            asked = len(seen) - after
            return first_choice(position) if asked <= 0 else f"save {file}" if asked == 1 else "quit"

        left = sit(session, watch=watch)
        assert f"kingdomino play --resume {file}" in left.shown.replace("\n", "")
        assert not any(prompt.startswith("Save") for prompt in left.prompts)
        resumed = Session.resume(read_records(file))
        assert resumed == session
        assert sit(resumed).game.history == whole.history


@pytest.mark.parametrize(("leaving", "status"), [("quit", 0), (EOFError, 0), (KeyboardInterrupt, 130)])
def test_leaving_offers_the_record(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaving: str | type[BaseException], status: int
) -> None:
    monkeypatch.chdir(tmp_path)
    (number, *_) = numbers(new().game.position.line)
    for answer, files in (
        ("n", []),
        ("y", ["kingdomino-1.txt"]),
        ("mine.txt", ["kingdomino-1.txt", "mine.txt"]),
    ):
        session = new("me", "me")
        sitting = sit(session, str(number), leaving, answer)
        assert sitting.status == status
        assert sorted(path.name for path in tmp_path.iterdir()) == files
        if files:
            assert Session.resume(read_records(tmp_path / files[-1])).game == session.game


@pytest.mark.parametrize("second", [EOFError, KeyboardInterrupt])
def test_leaving_twice_leaves(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: type[BaseException]
) -> None:
    monkeypatch.chdir(tmp_path)
    session = new("me", "me")
    sitting = sit(session, str(session.game.position.line[0].domino.number), KeyboardInterrupt, second)
    assert sitting.status == 130
    assert list(tmp_path.iterdir()) == []


def test_a_game_ended_from_outside_is_saved_only_in_its_file(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for options in ({}, {"record": tmp_path / "record.txt"}):
        session = new("me", "me")
        number = session.game.position.line[0].domino.number
        with pytest.raises(SystemExit):
            sit(session, str(number), SystemExit, "y", **options)
        assert list(tmp_path.iterdir()) == list(options.values())
    assert Session.resume(read_records(tmp_path / "record.txt")).game == session.game


def test_nothing_is_offered_where_nothing_was_played(sit: Sit) -> None:
    sitting = sit(new("me", "me"), "quit")
    assert sitting.prompts == ["Player 1 > "] or sitting.prompts == ["Player 2 > "]


def test_without_a_terminal_there_are_no_questions(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = new("me", "me")
    sitting = sit(session, str(session.game.position.line[0].domino.number), ends=True, interactive=False)
    assert not any(prompt.startswith("Save") for prompt in sitting.prompts)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_the_games_own_is_never_overwritten(sit: Sit, tmp_path: Path) -> None:
    other, own = tmp_path / "other.txt", tmp_path / "own.txt"
    other.write_text("precious")
    session = new("me", "me")
    claim = str(session.game.position.line[0].domino.number)
    sitting = sit(session, f"save {other}", f"save {own}", claim, f"save {own}", KeyboardInterrupt)
    assert "File exists" in sitting.shown.replace("\n", "")
    assert other.read_text() == "precious"
    assert read_records(own)[-1].actions() == session.game.history != ()


def test_a_forced_discard_is_explained(sit: Sit) -> None:
    for seed in range(100):
        session = new("me", "me", seed=seed)
        sitting = sit(session)
        if kd.Action.discard() in session.game.history:
            assert "which fits nowhere" in sitting.shown
            return
    raise AssertionError("no discard in a hundred games")


def test_a_bots_turn_is_printed_on_one_line(sit: Sit) -> None:
    shown = sit(new("greedy", "random")).shown
    turns = [
        line for line in shown.splitlines() if line.startswith(("greedy ", "random ")) and "claimed" in line
    ]
    # Four opening claims, and four turns in each of five rounds; the last round has no claims.
    assert len(turns) == 4 + 5 * 4
    assert sum("placed" in line or "discarded" in line for line in turns) == 5 * 4


@pytest.mark.parametrize("counts", ["total", "best"])
def test_a_dynasty_is_three_games(sit: Sit, counts: str) -> None:
    session = new(dynasty=counts)
    sitting = sit(session)
    assert sitting.status == 0
    for number in (1, 2, 3):
        assert f"Game {number} of 3 · The end" in sitting.shown
    match = session.match
    assert match is not None
    assert match.is_over
    played = [totals(ended(game)) for game in match.games]
    counted = tuple((sum if counts == "total" else max)(scores) for scores in zip(*played, strict=True))
    assert totals(ended(match)) == counted
    assert f"The Dynasty: {words.result(ended(match), session.names)}" in sitting.shown


def test_a_dynasty_is_saved_and_gone_on_with(sit: Sit, tmp_path: Path) -> None:
    whole = new(dynasty="total", seed=5)
    sit(whole)
    file = tmp_path / "dynasty.txt"
    session = new(dynasty="total", seed=5)

    def watch(position: kd.Position) -> str:
        if session.number == 2 and position.round == 2:
            raise EOFError
        return first_choice(position)

    sit(session, watch=watch, record=file)
    assert len(read_records(file)) == 2
    resumed = Session.resume(read_records(file))
    assert resumed == session
    sit(resumed)
    assert resumed == whole


def test_a_bot_that_breaks_the_rules_is_named_and_the_record_offered(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cheat(kd.bots.Bot):
        spec = "cheat"

        def choose(self, _: kd.Position) -> kd.Action:
            return kd.Action.parse("discard")

    monkeypatch.chdir(tmp_path)
    session = Session(
        (seats.Seat("cheat", Cheat()), seats.Seat("You")), kd.Game(seed=7, opening=[1, 0, 0, 1])
    )
    with pytest.raises(kd.BotError, match="bot 'cheat' chose 'discard'"):
        sit(session, str(session.game.position.line[0].domino.number), "y")
    assert [path.name for path in tmp_path.iterdir()] == ["kingdomino-1.txt"]


def test_a_hint_says_where_and_then_the_move(sit: Sit) -> None:
    session = new("me", "greedy")
    sitting = sit(session, "hint", "hint", ends=True)
    shown = sitting.shown
    assert re.search(r"Look at the (low|high) numbers of the line. Type hint again to see the move.", shown)
    assert re.search(r"The best is claim \d+ \(\d+% to win, \d+ points on average\).", shown)
    assert session.record().tags["hints"] == str(len(session.game.history))


def test_a_hint_for_a_placement_names_its_number(sit: Sit) -> None:
    session = new("me", "greedy")

    def typed(position: kd.Position) -> str:
        if position.phase == "place" and len(sitting_prompts) < 2:
            sitting_prompts.append("hint")
            return "hint"
        return "quit" if sitting_prompts else first_choice(position)

    sitting_prompts: list[str] = []
    shown = sit(session, watch=typed).shown
    assert re.search(
        r"Look (above|below|to the (left|right) of)( and to the (left|right) of)? the castle\.", shown
    )
    found = re.search(r"The best is (\d+): (place \S+) \(", shown)
    assert found
    choice = choices(session.game.position)[int(found[1]) - 1]
    assert str(choice.action) == found[2]
    ply = len(session.game.history)
    resumed = Session.resume([kd.Record.parse(session.write())])
    assert resumed.record().tags["hints"] == str(ply)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (4, 1, "to the right of"),
        (-4, 1, "to the left of"),
        (0, 5, "above"),
        (1, -4, "below"),
        (-3, -3, "below and"),
    ],
)
def test_where_a_hint_points(x: int, y: int, said: str) -> None:
    position = new().game.position
    left = (x // 2, y // 2)
    action = kd.Action.place((left, (x - left[0], y - left[1])))
    assert hints.where(position, action).startswith(f"Look {said} ")


def test_there_are_no_hints_where_another_person_plays(sit: Sit) -> None:
    session = new("me", "me")
    shown = sit(session, "hint", ends=True).shown
    assert "there are hints only where all the other players are bots" in shown
    assert "hints" not in session.record().tags


def over(*specs: str) -> Session:
    """Play a game to its end."""
    session = new(*specs)
    while not session.game.is_over:
        session.game.play(session.game.legal_actions()[0])
    return session


def test_the_game_can_be_reviewed_when_it_is_over(sit: Sit) -> None:
    session = over("me", "greedy")
    sitting = sit(session, "review", review_limit=kd.bots.Limit(playouts=30))
    assert "Decisions cost" in sitting.shown
    assert "\n47  " in sitting.shown
    record = session.record()
    assert set(record.annotations) == set(range(48))
    assert kd.Record.parse(session.write()) == record
    assert [prompt for prompt in sitting.prompts if prompt.startswith("Save")]


def test_a_review_is_not_made_unless_it_is_asked_for(sit: Sit) -> None:
    session = over("me", "greedy")
    assert "Decisions cost" not in sit(session, "").shown
    assert session.record().annotations == {}
    for specs, interactive in ((("greedy", "greedy"), True), (("me", "greedy"), False)):
        prompts = sit(over(*specs), interactive=interactive).prompts
        assert not any(prompt.startswith("Type review") for prompt in prompts)


def test_a_review_before_the_end_is_refused(sit: Sit) -> None:
    assert "you can review the game when it is over" in sit(new(), "review", ends=True).shown


def test_an_annotation_does_not_come_back_when_play_goes_on() -> None:
    session = new("me", "me")
    for _ in range(4):
        session.game.play(session.game.legal_actions()[0])
    best = {3: kd.Annotation(best=session.game.history[3])}
    resumed = Session.resume([session.record().annotated({4: "a good start"}, best)])
    resumed.undo()
    resumed.game.play(resumed.game.legal_actions()[-1])
    record = resumed.record()
    assert (record.annotations, record.comments) == ({}, {})


def shown_to_four(position: kd.Position, encoding: str = "utf-8") -> str:
    names = ["You", "random:seed=3 1", "random:seed=3 2", "greedy"]
    written = BytesIO()
    console = Console(file=TextIOWrapper(written, encoding=encoding), width=80, height=24, highlight=False)
    console.print("")
    console.print(view.kingdoms(position, names, console))
    console.print(words.task(position, names))
    console.print(view.offered(position, choices(position), console))
    console.file.flush()
    return written.getvalue().decode(encoding)


def test_a_game_of_four_fits_a_terminal_of_80_by_24() -> None:
    game, bot, heights = (
        kd.Game(kd.Rules(4, middle_kingdom=True), seed=3),
        kd.bots.make("greedy"),
        list[int](),
    )
    while not game.is_over:
        lines = shown_to_four(game.position).splitlines()
        assert max(map(len, lines)) <= 80
        heights.append(len(lines) + 1)  # and the prompt
        game.play(bot.choose(game.position))
    assert max(heights) <= 24


def test_the_mark_of_who_is_to_move_is_ascii_where_the_terminal_is() -> None:
    position = kd.Game(kd.Rules(4), seed=3).position
    assert "▸ " in shown_to_four(position)
    assert "> " in shown_to_four(position, "ascii")
    assert "?" not in shown_to_four(position, "ascii")
