"""Run one of our bots as an engine, which reads requests and writes answers.

The caller's thread reads while a second one thinks, so that ``stop`` and ``quit`` take effect at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import SimpleQueue
from threading import Event, Thread
from typing import BinaryIO, NamedTuple

from kingdomino._core import Action, Position, Rules
from kingdomino.bots.bot import Bot
from kingdomino.bots.engine.analysis import to_info
from kingdomino.bots.engine.messages import (
    LONGEST_LINE,
    VERSION,
    Answer,
    Choose,
    Chosen,
    Hello,
    Info,
    Introduction,
    NewGame,
    Quit,
    Ready,
    Refusal,
    Request,
    Stop,
    id_of,
    request,
    to_line,
)
from kingdomino.display import shortened
from kingdomino.errors import KingdominoError, ParseError

_STOP_TIMEOUT = 0.5
"""Seconds to wait for a bot after stopping it."""
_LONGEST_REASON = 1_000
"""Letters of a refusal, each of which takes at most twelve bytes of the line."""


class _Task(NamedTuple):
    """A request to answer, or the refusal of an unreadable line, and the event that stops the bot."""

    request: Hello | NewGame | Choose | Refusal
    stop: Event


def serve(make: Callable[[int | None], Bot], requests: BinaryIO, answers: BinaryIO) -> bool:
    """Answer requests until quit or the end of the input.

    ``make`` creates the bot for a seed, or for None; it is called at the start and for every game. ``answers`` must be
    unbuffered. Return whether the bot has finished: an unstoppable bot may still be thinking, in a daemon thread.
    """
    tasks: SimpleQueue[_Task | None] = SimpleQueue()
    thinker = Thread(target=_think, args=(_Answerer(make, answers), tasks), name="engine", daemon=True)
    thinker.start()
    asked, stop = None, Event()
    for message in _read(requests):
        match message:
            case Quit():
                break
            case Stop(number):
                if number == asked:
                    stop.set()
            case Choose(number):
                stop.set()  # a host that asks again no longer wants the earlier answer
                asked, stop = number, Event()
                tasks.put(_Task(message, stop))
            case Hello() | NewGame() | Refusal():
                tasks.put(_Task(message, stop))
    stop.set()
    tasks.put(None)
    thinker.join(_STOP_TIMEOUT)
    return not thinker.is_alive()


def _read(lines: BinaryIO) -> Iterator[Request | Refusal]:
    while line := lines.readline(LONGEST_LINE + len(b"\r\n")):
        if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST_LINE)
            yield Refusal(f"this line is longer than {LONGEST_LINE} bytes")
        elif line.strip():
            try:
                yield request(line)
            except ParseError as error:
                yield Refusal(str(error), id=id_of(line))


def _think(answerer: "_Answerer", tasks: "SimpleQueue[_Task | None]") -> None:
    while (task := tasks.get()) is not None:
        try:
            answerer.write(answerer.answer(task))
        except BrokenPipeError:  # the host is gone; the other thread notices
            return


def _refused(error: Exception, asked: int) -> Refusal:
    return Refusal(f"{type(error).__name__}: {error}", id=asked)


class _Answerer:
    """A bot and its answers."""

    def __init__(self, make: Callable[[int | None], Bot], answers: BinaryIO) -> None:
        self._make, self._bot, self._answers = make, make(None), answers

    def write(self, answer: Answer) -> None:
        if isinstance(answer, Refusal):  # it may quote the whole request
            answer = replace(answer, message=shortened(answer.message, _LONGEST_REASON))
        self._answers.write(to_line(answer))

    def answer(self, task: _Task) -> Answer:
        match task.request:
            case Refusal() as refusal:
                return refusal
            case Hello() as hello:
                return self._hello(hello)
            case NewGame() as game:
                return self._game(game)
            case Choose() as choose:
                return self._choose(choose, task.stop)

    def _hello(self, asked: Hello) -> Answer:
        if VERSION not in asked.versions:
            return Refusal(f"this engine supports only version {VERSION}", id=asked.id)
        return Introduction(asked.id, VERSION, self._bot.spec, "Kingdomino")

    def _game(self, asked: NewGame) -> Answer:
        try:
            players = Rules.parse(asked.rules).players
            if not 0 <= asked.seat < players:
                return Refusal(f"there is no seat {asked.seat} in a game of {players}", id=asked.id)
            self._bot = self._make(asked.seed)
        except KingdominoError as error:
            return Refusal(str(error), id=asked.id)
        except Exception as error:  # the engine goes on after any error of the factory
            return _refused(error, asked.id)
        return Ready(asked.id)

    def _choose(self, asked: Choose, stop: Event) -> Answer:
        try:
            position = Position.parse(asked.position)
            if asked.analyse and self._bot.follows_its_analyses:
                action = self._analysed(position, asked, stop)
            else:
                action = self._bot.choose_within(position, asked.limit, stop)
            return Chosen(asked.id, str(action))
        except BrokenPipeError:
            raise
        except KingdominoError as error:
            return Refusal(str(error), id=asked.id)
        except Exception as error:  # the engine goes on after any error of the bot
            return _refused(error, asked.id)

    def _analysed(self, position: Position, asked: Choose, stop: Event) -> Action:
        """Report every analysis, and choose the best action of the last one."""
        for analysis in self._bot.analyses(position, asked.limit, stop=stop):
            info = to_line(Info(asked.id, to_info(analysis)))
            if len(info) > LONGEST_LINE:
                info = to_line(Info(asked.id, to_info(analysis, lines=False)))
            self._answers.write(info)
        return analysis.actions[0].action
