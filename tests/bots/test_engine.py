"""The bot that asks an engine in another process: games, strikes, and cleaning up."""

import copy
import logging
import pickle
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol

import pytest

import kingdomino as kd
from kingdomino.bots.engine import bot as engine_bot
from kingdomino.bots.engine.conversation import Conversation
from kingdomino.bots.engine.process import Late

Command = Callable[[str], str]


class Life(Protocol):
    """The value of the fixture with this name."""

    holding: str

    def wait_for_the_end(self) -> None: ...


EXAMPLE = shlex.join([sys.executable, "-IS", str(Path(kd.__file__).parent / "examples" / "engine.py")])
START = kd.Game(seed=7).position


def unhurried(command: str, seed: int = 0) -> kd.bots.Engine:
    """Return an engine that always answers, with long time limits for busy machines."""
    return kd.bots.Engine(command, time=60, grace=60, start=60, seed=seed)


def play(engine: kd.bots.Engine, rules: kd.Rules, seed: int = 7) -> kd.Game:
    """Play a game with the engine in the last seat and greedy in all others."""
    game, greedy = kd.Game(rules, seed=seed), kd.bots.PolicyBot("greedy")
    while (seat := game.position.to_move) is not None:
        game.play((engine if seat == rules.players - 1 else greedy).choose(game.position))
    return game


@pytest.mark.parametrize("rules", [kd.Rules(), kd.Rules(mighty_duel=True), kd.Rules(3, "first"), kd.Rules(4)])
def test_the_example_plays_whole_games_without_a_strike(rules: kd.Rules) -> None:
    with unhurried(EXAMPLE) as engine:
        assert play(engine, rules).is_over
        assert engine.strikes == ()


def test_a_spec_contains_the_command_and_changed_options() -> None:
    engine = kd.bots.make(
        "engine: time = 2 , command=python3 'my bot.py' --deep, playouts=7,start=0.25", seed=3
    )
    assert engine.spec == "engine:command=python3 'my bot.py' --deep,time=2,playouts=7,seed=3,start=0.25"
    assert kd.bots.make(engine.spec) == engine
    assert hash(kd.bots.make(engine.spec)) == hash(engine)
    assert kd.bots.make("engine:command=x").spec == "engine:command=x"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "an engine needs a command"),
        ({"command": "  "}, "an engine needs a command"),
        ({"command": "python3 'my bot.py"}, "No closing quotation"),
        ({"command": "python3 bot.py a,b"}, "contains a comma"),
        ({"command": "a\nb"}, "an unprintable character"),
        ({"command": "x", "time": 0.0}, "a number of seconds above 0"),
        ({"command": "x", "time": float("nan")}, "time nan is not between"),
        ({"command": "x", "time": 1e300}, "time 1e+300 is not between"),
        ({"command": "x", "playouts": 0}, "a whole number from 1"),
        ({"command": "x", "grace": -1.0}, "grace -1 is not between"),
        ({"command": "x", "start": float("inf")}, "start inf is not between"),
        ({"command": "x", "seed": -1}, "seed -1 is not between"),
    ],
)
def test_impossible_options_are_refused_before_anything_starts(options: dict[str, Any], said: str) -> None:
    with pytest.raises(kd.BotError, match=re.escape(said)):
        kd.bots.Engine(**options)


def test_a_missing_program_is_reported_at_once() -> None:
    engine = kd.bots.Engine("no-such-program-anywhere --fast")
    for _ in range(2):
        with pytest.raises(
            kd.EngineError, match="'no-such-program-anywhere' cannot be started: No such file"
        ):
            engine.choose(START)


def test_an_engine_is_not_asked_when_the_game_is_over(command: Command) -> None:
    game = kd.Game(seed=7)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    engine = kd.bots.Engine(command("sys.exit(1)"))
    for ask in (engine.choose, engine.analyse):
        with pytest.raises(kd.KingdominoError, match="the game is over"):
            ask(game.position)


def test_an_engine_is_not_asked_where_a_line_is_due(command: Command) -> None:
    position = START
    while position.phase != "chance":
        position = position.play(position.legal_actions()[0])
    engine = kd.bots.Engine(command("sys.exit(1)"))
    for ask in (engine.choose, engine.analyse):
        with pytest.raises(kd.KingdominoError, match="no seat is to move"):
            ask(position)
    assert engine.strikes == ()


def test_the_placement_of_a_double_may_come_either_way_round(command: Command) -> None:
    program = """
begin()
turned = "place 2,0>1,0"
while (asked := hear())["kind"] != "quit":
    say(asked, "info", info={"actions": [{"action": turned, "win_rates": [1, 0]}]})
    say(asked, "action", action=turned)
"""
    position = kd.Position.parse("kd1 2.second.random 1 place:0 1@0,2@1,3@0,4@1 5,6,7,8 9-48 C;C")
    with unhurried(command(program)) as engine:
        assert engine.choose(position) == kd.Action.parse("place 1,0>2,0")
        analysis = engine.analyse(position)
    assert [one.action for one in analysis.actions[:1]] == [kd.Action.parse("place 1,0>2,0")]
    # The analysis also counts actions equivalent to a reported one.
    distinct = set(map(position.equivalent, position.legal_actions()))
    assert set(map(position.equivalent, (one.action for one in analysis.actions))) == distinct
    assert len(analysis.actions) == len(distinct)


def test_the_engine_gets_every_new_game_with_its_seed(command: Command, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    program = f"""
begin_log = open({str(heard)!r}, "a", buffering=1)
def choose_and_log(asked):
    begin_log.write(asked["kind"] + "\\n")
    say(asked, "action", action=asked["actions"][0])
choose = choose_and_log
say(hear(), "hello", version=1, name="x")
while (asked := hear())["kind"] != "quit":
    if asked["kind"] == "game":
        begin_log.write(f"game {{asked['seat']}} {{asked['seed']}} {{asked['rules']}}\\n")
        say(asked, "ready")
    else:
        choose(asked)
"""
    with unhurried(command(program), seed=5) as engine:
        play(engine, kd.Rules(), seed=7)
        play(engine, kd.Rules(), seed=7)
        play(engine, kd.Rules(3), seed=8)
    games = [line for line in heard.read_text().splitlines() if line != "choose"]
    assert games == ["game 1 5 2.second.random"] * 2 + ["game 2 5 3.second.random"]


WRONGS = {
    "crashes at its start": ("sys.exit(3)", "it ended with status 3"),
    "crashes in the middle": ("begin(); hear(); sys.exit('out of ideas')", "it ended with status 1"),
    "is killed": ("begin(); hear(); os.kill(os.getpid(), 9)", "it was ended by signal 9"),
    "closes its stdout": ("begin(); hear(); os.close(1); hang()", "it closed its output"),
    "prints what it thinks": (
        "begin()\nwhile hear(): print('thinking…', flush=True)",
        "it wrote something to stdout that is not a message: this line is not JSON ('thinking…')",
    ),
    "forgets the action": (
        "begin()\nwhile asked := hear(): say(asked, 'action')",
        "'action' is missing",
    ),
    "answers the future": (
        "begin()\nwhile asked := hear(): say({'id': 99}, 'action', action='discard')",
        "it answered request 99, which was never made",
    ),
    "is ready instead of choosing": (
        "begin()\nwhile asked := hear(): say(asked, 'ready')",
        "it answered with 'ready' instead of 'action'",
    ),
    "refuses": (
        "begin()\nwhile asked := hear(): say(asked, 'error', message='no idea')",
        "it answered with an error: no idea",
    ),
    "refuses at length, for a terminal": (
        r"""begin()
while asked := hear(): say(asked, 'error', message='no\n\n## Answer\n\n**Yes** \x1b[2J' + 'x' * 60000)""",
        "it answered with an error: no ## Answer **Yes** \N{REPLACEMENT CHARACTER}[2Jxxx",
    ),
    "chooses something endless": (
        "begin()\nwhile asked := hear(): say(asked, 'action', action='place ' * 9000)",
        "it chose something that is not an action: ",
    ),
    "speaks another version": (
        "say(hear(), 'hello', version=2, name='x'); hang()",
        "it chose version 2, which the host did not offer",
    ),
    "discards for a claim": (
        "begin()\nwhile asked := hear(): say(asked, 'action', action='discard')",
        "it chose 'discard', which is not legal: ",
    ),
    "floods its host with thoughts": (
        "begin()\nasked = hear()\nwhile True: say(asked, 'info', info={'x': 'x' * 30000})",
        "it wrote more than 1048576 bytes without an answer",
    ),
    "writes a line without an end": (
        "begin(); hear()\nwhile True: print('x' * 1000, end='')",
        "it wrote a line of more than 65536 bytes",
    ),
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_three_strikes_end_an_engine_that(wrong: str, command: Command) -> None:
    program, said = WRONGS[wrong]
    engine = unhurried(command(program))
    for strikes in (1, 2):
        assert engine.choose(START) == kd.bots.PolicyBot("greedy").choose(START)
        assert len(engine.strikes) == strikes
        assert said in engine.strikes[-1]
        assert engine.strikes[-1].isprintable()
        assert len(engine.strikes[-1]) < 500
    for _ in range(2):
        with pytest.raises(kd.EngineError, match=r"three strikes: 1\. .*; 2\. .*; 3\. ") as error:
            engine.choose(START)
        assert error.value.strikes == engine.strikes
        assert len(engine.strikes) == 3


@pytest.mark.parametrize(
    "program",
    [
        "begin(); hang()",
        "begin(); hear(); hang()",
        "begin()\nwhile hear(): pass",
        "begin(); hear(); print('{\"kind\":', end='', flush=True); hang()",
        "begin()\nwhile True: print('x' * 1000, file=sys.stderr)",
    ],
    ids=["reads nothing", "hears the question", "hears stop too", "writes half a line", "floods its stderr"],
)
def test_an_engine_that_does_not_choose_is_late_each_time(program: str, command: Command) -> None:
    engine = kd.bots.Engine(command(program), time=0.01, grace=0.01, start=60)
    for _ in range(2):
        assert engine.choose(START) == kd.bots.PolicyBot("greedy").choose(START)
        assert engine.strikes[-1] == "it did not choose within 0.01 s and 0.01 s of grace"
    with pytest.raises(kd.EngineError, match="did not choose within"):
        engine.choose(START)


@pytest.mark.parametrize("kind", ["hello", "ready"])
def test_an_engine_that_does_not_get_ready_is_late(
    kind: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "hang()" if kind == "hello" else "say(hear(), 'hello', version=1, name='x'); hang()"
    monkeypatch.setattr(engine_bot, "_QUIT_TIMEOUT", 0.01)
    engine = kd.bots.Engine(command(program), start=0.3)
    engine.choose(START)
    # On a machine too slow to start the interpreter in time, the greeting is late.
    assert re.fullmatch("it did not answer with '(hello|ready)' within 0.3 s", engine.strikes[0])
    engine.close()


def test_the_error_ends_with_the_engines_last_message(command: Command) -> None:
    program = "begin(); hear(); print('x' * 100000, file=sys.stderr); sys.exit('out of ideas')"
    engine = unhurried(command(program))
    for _ in range(2):
        engine.choose(START)
    with pytest.raises(kd.EngineError, match=r"the last line of its stderr: out of ideas$") as error:
        engine.choose(START)
    assert error.value.stderr.endswith("xxx\nout of ideas")
    assert len(error.value.stderr) <= 2000
    copied = pickle.loads(pickle.dumps(error.value))
    assert (str(copied), copied.strikes) == (str(error.value), error.value.strikes)


def test_an_engine_that_crashed_once_goes_on_with_the_game(command: Command, tmp_path: Path) -> None:
    marker = tmp_path / "crashed"
    program = f"""
begin()
asked = hear()
if not os.path.exists({str(marker)!r}):
    open({str(marker)!r}, "w").close()
    sys.exit(1)
choose(asked)
play()
"""
    with unhurried(command(program)) as engine:
        assert play(engine, kd.Rules()).is_over
        assert engine.strikes == ("it ended with status 1",)


def test_strikes_are_logged(command: Command, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        unhurried(command("sys.exit(3)")).choose(START)
    assert "strike 1: it ended with status 3" in caplog.text


def test_a_late_answer_is_ignored(command: Command) -> None:
    program = """
begin()
late = hear()
assert hear()["kind"] == "stop"
asked = hear()
choose(late)
say(asked, "info", info={"playouts": 3})
say(asked, "news of tomorrow")
print()
choose(asked)
"""
    conversation = Conversation(shlex.split(command(program)))
    conversation.introduce(60)
    conversation.begin(kd.Rules(), 0, 0, 60)
    limit = kd.bots.Limit(time=1)
    with pytest.raises(Late):
        conversation.choose(START, limit, 0, 0)
    assert conversation.choose(START, limit, 60, 0) == START.legal_actions()[-1]
    conversation.close()


def test_an_engine_gets_stop_when_its_time_is_over(command: Command) -> None:
    program = """
begin()
asked, stop = hear(), hear()
assert stop == {"kind": "stop", "id": asked["id"]}
choose(asked)
"""
    conversation = Conversation(shlex.split(command(program)))
    conversation.introduce(60)
    conversation.begin(kd.Rules(), 0, 0, 60)
    assert conversation.choose(START, kd.bots.Limit(time=0.01), 0.01, 60) == START.legal_actions()[-1]
    conversation.close()


def test_an_engine_that_reads_slowly_still_gets_everything(command: Command) -> None:
    program = """
line = b""
while not line.endswith(b"the end\\n"):
    line += os.read(0, 100)
print(len(line), flush=True)
hang()
"""
    conversation = Conversation(shlex.split(command(program)))
    conversation.process.send(b"x" * 300_000 + b"the end\n")
    assert conversation.process.receive(monotonic() + 60) == b"300008"
    conversation.close()


def test_close_lets_an_engine_end_by_itself(command: Command, tmp_path: Path) -> None:
    farewell = tmp_path / "farewell"
    engine = unhurried(command(f"begin(); play(); open({str(farewell)!r}, 'w').write('bye')"))
    engine.choose(START)
    engine.close()
    engine.close()
    assert farewell.read_text() == "bye"


@pytest.mark.parametrize("how", ["closed", "forgotten", "struck out"])
def test_an_engine_and_its_children_end_when_it_is(
    how: str, command: Command, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_bot, "_QUIT_TIMEOUT", 0.01)
    program = """
import signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
begin()
choose(hear())
subprocess.Popen([sys.executable, "-IS", "-c", "import threading; threading.Event().wait()"], close_fds=False)
print("what else?", flush=True)
print("what else?", flush=True)
print("what else?", flush=True)
hang()
"""
    engine = unhurried(command(life.holding + program))
    engine.choose(START)
    if how == "closed":
        engine.close()
    elif how == "struck out":
        engine.choose(START)
        engine.choose(START)
        with pytest.raises(kd.EngineError):
            engine.choose(START)
    del engine
    life.wait_for_the_end()


@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), 9)", "os._exit(1)"])
def test_no_engine_outlives_the_process_that_asks_it(end: str, command: Command, life: Life) -> None:
    engine = command(life.holding + "begin(); choose(hear()); hang()")
    program = (
        "import os, kingdomino as kd\n"
        f"engine = kd.bots.Engine({engine!r})\n"
        f"engine.choose(kd.Position.parse({START.to_text()!r}))\n"
        f"print(*engine.strikes, flush=True)\n{end}"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("\n", "")
    life.wait_for_the_end()


def test_copies_and_pickles_are_engines_of_their_own(command: Command) -> None:
    with unhurried(command("begin(); play()"), seed=3) as engine:
        engine.choose(START)
        for other in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
            assert other == engine
            assert other.spec == engine.spec
            with other:
                assert other.choose(START) == engine.choose(START)


def test_nothing_stays_open(command: Command) -> None:
    def open_after_a_crash() -> int:
        engine = unhurried(command("begin(); choose(hear()); hear(); sys.exit(1)"))
        for _ in range(3):
            engine.choose(START)
        return len(list(Path("/dev/fd").iterdir()))

    assert open_after_a_crash() == open_after_a_crash()


OURS = shlex.join(
    [sys.executable, "-c", "from kingdomino.cli import main; raise SystemExit(main())", "engine", "king"]
)


def ending() -> kd.Position:
    """Return a position whose analysis is exact."""
    game = kd.Game(seed=7)
    while game.position.unseen:
        game.play(game.legal_actions()[0])
        if game.position.round == game.rules.rounds - 1 and game.position.phase == "place":
            break
    return game.position


def same(one: kd.ActionAnalysis, other: kd.ActionAnalysis) -> bool:
    """Compare two evaluations; an engine's figures are rounded to six decimals."""
    figures = [*one.win_rates, *one.mean_scores, *one.mean_margin]
    others = [*other.win_rates, *other.mean_scores, *other.mean_margin]
    return (one.action, one.playouts, one.line) == (
        other.action,
        other.playouts,
        other.line,
    ) and figures == pytest.approx(others, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("position", [START, ending()], ids=["estimated", "exact"])
def test_an_engines_analysis_equals_the_bots(position: kd.Position) -> None:
    limit = kd.bots.Limit(playouts=200)
    with unhurried(OURS) as engine:
        theirs = engine.analyse(position, limit)
    ours = kd.bots.King().analyse(position, limit)
    assert (theirs.playouts, theirs.exact, theirs.seat) == (ours.playouts, ours.exact, ours.seat)
    assert len(theirs.actions) == len(ours.actions)
    assert all(map(same, theirs.actions, ours.actions))


ANALYST = """
begin()
asked = hear()
assert asked["analyse"]
first, second, *_ = asked["actions"]
say(asked, "info", info={"line": [first], "win_rates": [0.5, 0.5], "playouts": 10})
say(asked, "info", info={"playouts": 30, "depth": 2, "actions": [
    {"action": second, "win_rates": [0.75, 0.25], "mean_scores": [40, 30], "mean_margin": [10, -10], "playouts": 20,
     "line": [second, first]},
    {"action": first, "playouts": 10},
]})
say(asked, "action", action=first)
play()
"""


def test_info_reaches_python_as_analyses(command: Command) -> None:
    first, second, *others = START.legal_actions()
    with unhurried(command(ANALYST)) as engine:
        one, two, last = engine.analyses(START)
        assert engine.choose(START) == START.legal_actions()[-1]
    assert [each.action for each in one.actions] == [first, second, *others]
    assert (one.actions[0].win_rates, one.actions[0].playouts, one.playouts) == ((0.5, 0.5), 10, 10)
    assert one.actions[1].playouts == 0
    assert one.actions[1].win_rates[0] != one.actions[1].win_rates[0]  # NaN
    assert two.actions[0] == kd.ActionAnalysis(
        second, 20, (0.75, 0.25), (40.0, 30.0), (10.0, -10.0), (second, first)
    )
    assert (two.playouts, two.exact, two.seat) == (30, False, START.to_move)
    assert [each.action for each in last.actions] == [first, second, *others]
    for each in (one, two, last):
        assert "nan" not in str(each)
        assert "NaN" not in each.to_json()
        assert str(kd.Analysis.from_json(each.to_json())) == str(each)
    assert "50.0%" in str(one)


def test_the_analysis_of_an_engine_that_reports_nothing_is_its_choice(command: Command) -> None:
    with unhurried(command("begin(); play()")) as engine:
        analysis = engine.analyse(START)
    *others, chosen = START.legal_actions()
    assert [each.action for each in analysis.actions] == [chosen, *others]
    assert analysis.playouts == 0


WRONG_INFOS = {
    "{'win_rates': [0.5], 'line': [first]}": "'win_rates' must be one number for each of the 2 seats",
    "{'actions': [{'action': 'discard'}]}": r"'actions\[0\].action': 'discard' is not legal: ",
    "{'line': ['discard']}": r"'line\[0\]': 'discard' is not legal",
}


@pytest.mark.parametrize("info", WRONG_INFOS)
def test_an_info_that_is_wrong_is_a_strike_in_an_analysis(info: str, command: Command) -> None:
    program = f"""
begin()
while (asked := hear())["kind"] != "quit":
    if asked["kind"] == "choose":
        first = asked["actions"][0]
        say(asked, "info", info={info})
        choose(asked)
"""
    with unhurried(command(program)) as engine:
        with pytest.raises(kd.EngineError, match=f"it sent an invalid info: .*{WRONG_INFOS[info]}"):
            engine.analyse(START)
        assert len(engine.strikes) == 1
        assert engine.choose(START) == START.legal_actions()[-1]
        assert len(engine.strikes) == 1


STOPPABLE = """
begin()
report_until_stopped(hear())
play()
"""


def test_an_analysis_that_does_not_end_is_stopped(command: Command) -> None:
    with kd.bots.Engine(command(STOPPABLE), time=0.01, grace=60, start=60) as engine:
        assert engine.analyse(START).actions[0].action == START.legal_actions()[-1]


@pytest.mark.parametrize(
    "program", ["begin(); hear(); hang()", "begin()\nasked = hear()\nwhile True: say(asked, 'info', info={})"]
)
def test_an_analysis_that_cannot_be_stopped_is_late(program: str, command: Command) -> None:
    with (
        kd.bots.Engine(command(program), time=0.01, grace=0.01, start=60) as engine,
        pytest.raises(kd.EngineError, match=r"it did not choose within 0\.01 s after stop"),
    ):
        engine.analyse(START)


def test_reports_do_not_extend_the_deadline(command: Command) -> None:
    program = """
begin()
asked = hear()
info = json.dumps({"kind": "info", "id": asked["id"], "info": {}})
action = json.dumps({"kind": "action", "id": asked["id"], "action": asked["actions"][-1]})
print(info, info, action, sep="\\n", flush=True)
hang()
"""
    conversation = Conversation(shlex.split(command(program)))
    conversation.introduce(60)
    conversation.begin(kd.Rules(), 0, 0, 60)
    conversation.ask(START, kd.bots.Limit(time=0.01), analyse=True)
    assert isinstance(conversation.found(START, monotonic() + 60), kd.Analysis)
    with pytest.raises(Late, match="it did not choose in time"):
        conversation.found(START, monotonic())
    assert conversation.found(START, monotonic()) == START.legal_actions()[-1]
    conversation.close()


def test_an_analysis_without_a_time_limit_is_stopped(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_bot, "_WITHOUT_TIME", 1)
    with kd.bots.Engine(command(STOPPABLE), time=0.01, grace=60, start=60) as engine:
        analysis = engine.analyse(START, kd.bots.Limit(playouts=10**9))
        assert analysis.actions[0].action == START.legal_actions()[-1]


def test_another_thread_can_stop_an_analysis(command: Command) -> None:
    with unhurried(command(STOPPABLE)) as engine:
        stop, found = Event(), list[kd.Analysis]()
        for analysis in engine.analyses(START, stop=stop):
            found.append(analysis)
            stop.set()
        first, *_, last = START.legal_actions()
        assert [one.actions[0].action for one in found] == [first, last]
        assert engine.strikes == ()


@pytest.mark.parametrize("reports", [0, 1])
def test_close_ends_an_analysis_that_waits_for_its_engine(
    reports: int, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = Event()

    class Noted(Conversation):
        def found(self, position: kd.Position, deadline: float) -> kd.Analysis | kd.Action:
            found = super().found(position, deadline) if reports and not waiting.is_set() else None
            waiting.set()
            return found or super().found(position, deadline)

    monkeypatch.setattr(engine_bot, "Conversation", Noted)
    program = f"begin()\nasked = hear()\nfor _ in range({reports}): say(asked, 'info', info={{}})\nplay()"
    engine, said = unhurried(command(program)), list[object]()

    def analyse() -> None:
        try:
            said.append(engine.analyse(START, kd.bots.Limit(playouts=10**9)))
        except kd.EngineError as error:
            said.append(str(error))

    thread = Thread(target=analyse)
    thread.start()
    waiting.wait()
    engine.close()
    thread.join()
    [answer] = said
    if reports:
        assert isinstance(answer, kd.Analysis)
    else:
        assert answer == f"engine {engine.command!r} was closed before it reported anything"
    assert engine.strikes == ()


def test_leaving_an_analysis_stops_it_and_keeps_the_engine(command: Command) -> None:
    program = """
begin()
asked = hear()
say(asked, "info", info={"line": [asked["actions"][0]]})
assert hear()["kind"] == "stop"
choose(asked)
play()
"""
    with unhurried(command(program)) as engine:
        analyses = engine.analyses(START)
        next(analyses)
        analyses.close()
        assert engine.choose(START) == START.legal_actions()[-1]
        assert engine.strikes == ()


def test_a_choice_in_between_ends_an_analysis(command: Command) -> None:
    program = """
begin()
asked = hear()
say(asked, "info", info={"line": [asked["actions"][0]]})
play()
"""
    with unhurried(command(program)) as engine:
        analyses = engine.analyses(START)
        next(analyses)
        assert engine.choose(START) == START.legal_actions()[-1]
        assert list(analyses) == []


def test_an_engine_can_be_started_before_it_chooses(command: Command) -> None:
    with unhurried(command("begin(); play()")) as engine:
        engine.prepare(START)
        engine.prepare(START)
        assert engine.choose(START) == START.legal_actions()[-1]
        assert engine.strikes == ()


def test_whether_an_engine_starts_can_be_tried(command: Command) -> None:
    with unhurried(command("begin(); play()")) as engine:
        engine.try_start()
        assert engine.choose(START) == START.legal_actions()[-1]
        engine.try_start()  # it continues the same game
        assert engine.choose(START) == START.legal_actions()[-1]
        assert engine.strikes == ()


def test_an_engine_that_does_not_start_says_why_and_has_no_strike(command: Command) -> None:
    engine = unhurried(command("import nothing_like_it"))
    with pytest.raises(
        kd.EngineError, match=r"does not answer hello: .*No module named 'nothing_like_it'"
    ) as caught:
        engine.try_start()
    assert "Traceback" in caught.value.stderr
    assert engine.strikes == ()
    with pytest.raises(kd.EngineError, match="cannot be started"):
        kd.bots.Engine("no-such-program-anywhere").try_start()


def test_an_error_before_an_engines_turn_is_reported_at_that_turn() -> None:
    engine = unhurried("/no/such/engine")
    engine.prepare(START)
    with pytest.raises(kd.EngineError):
        engine.choose(START)
    engine.prepare(START)
