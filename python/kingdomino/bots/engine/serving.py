"""One of our bots as an engine: requests come in as lines, answers go out.

Two threads: the caller's reads on while the other one thinks, so that ``stop`` and ``quit`` are heard.
"""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event, Thread
from typing import BinaryIO, NamedTuple

from kingdomino._core import Position, Rules
from kingdomino.bots.bot import Bot
from kingdomino.bots.engine.messages import (
    LONGEST_LINE,
    VERSION,
    Answer,
    Choose,
    Chosen,
    Hello,
    Introduction,
    NewGame,
    Quit,
    Ready,
    Refusal,
    Request,
    Stop,
    id_of,
    read,
    request,
    to_line,
)
from kingdomino.bots.limit import Limited
from kingdomino.errors import KingdominoError, ParseError

_LEAVING = 0.5
"""Seconds that a bot which is told to stop may take before it is left alone."""
_LONGEST_REASON = 1_000


class _Task(NamedTuple):
    """What is to be answered, which may be a line that could not be read, and whether to hurry."""

    request: Hello | NewGame | Choose | Refusal
    stop: Event


def serve(make: Callable[[int | None], Bot], requests: BinaryIO, answers: BinaryIO) -> bool:
    """Answer requests until one says quit, or there are no more.

    ``make`` gives the bot for a seed, or for none; it is called once at the beginning and once for every
    game. ``answers`` must not be buffered. Gives whether all thought has ended: a bot that cannot be
    stopped may still be at it, in a daemon thread.
    """
    tasks: SimpleQueue[_Task | None] = SimpleQueue()
    thinker = Thread(target=_think, args=(_Servant(make), tasks, answers), name="engine", daemon=True)
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
                stop.set()  # who asks anew does not wait for the answer before
                asked, stop = number, Event()
                tasks.put(_Task(message, stop))
            case Hello() | NewGame() | Refusal():
                tasks.put(_Task(message, stop))
    stop.set()
    tasks.put(None)
    thinker.join(_LEAVING)
    return not thinker.is_alive()


def _read(lines: BinaryIO) -> Iterator[Request | Refusal]:
    while line := lines.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST_LINE)
            yield Refusal(None, f"this line is longer than {LONGEST_LINE} bytes")
        elif line.strip():
            number = None
            try:
                fields = read(line)
                number = id_of(fields)
                yield request(fields)
            except ParseError as error:
                yield Refusal(number, str(error))


def _think(servant: "_Servant", tasks: "SimpleQueue[_Task | None]", answers: BinaryIO) -> None:
    while (task := tasks.get()) is not None:
        try:
            answers.write(to_line(servant.answer(task)))
        except BrokenPipeError:  # whoever asked has gone, and the other thread hears of it
            return


class _Servant:
    """A bot and the answers that it gives."""

    def __init__(self, make: Callable[[int | None], Bot]) -> None:
        self._make, self._bot = make, make(None)

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
            return Refusal(asked.id, f"this engine speaks version {VERSION} alone")
        return Introduction(asked.id, VERSION, self._bot.spec, "Kingdomino")

    def _game(self, asked: NewGame) -> Answer:
        try:
            players = Rules.parse(asked.rules).players
            if not 0 <= asked.seat < players:
                return Refusal(asked.id, f"there is no seat {asked.seat} in a game of {players}")
            self._bot = self._make(asked.seed)
        except KingdominoError as error:
            return Refusal(asked.id, str(error))
        return Ready(asked.id)

    def _choose(self, asked: Choose, stop: Event) -> Answer:
        try:
            position = Position.parse(asked.position)
            if isinstance(self._bot, Limited):
                action = self._bot.choose_within(position, asked.limit, stop)
            else:
                action = self._bot.choose(position)
            return Chosen(asked.id, str(action))
        except KingdominoError as error:
            return Refusal(asked.id, str(error)[:_LONGEST_REASON])
        except Exception as error:  # whatever a bot raises, its engine goes on
            return Refusal(asked.id, f"{type(error).__name__}: {error}"[:_LONGEST_REASON])
