"""Previews of finished games in messengers: a sentence, a picture, and the page's tags for both."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections import Counter, OrderedDict
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

import kingdomino as kd
from kingdomino.server.http.words import say
from kingdomino.server.pools import PICTURES, Owner
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.state import State, number_duplicates
from kingdomino.server.tables.people.codes import Language

__all__ = ["Pictures", "Result", "sentence", "tags"]

WIDTH, HEIGHT = 1200, 630
_KEPT: Final = 64  # pictures of some 200 KB
_LONGEST: Final = 20.0  # seconds for a picture; half a second is usual
_PROGRAM: Final = Path(__file__).with_name("rasterize.py")
_LETTERS: Final = {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x180))} - set("ĸŉŦŧ") | {
    "\n",
    "…",
}
"""The letters in our font. For others the library searches the machine's fonts, which takes longer."""
_WON: Final = {
    "score": "share.won_score",
    "largest_territory": "share.won_largest_territory",
    "crowns": "share.won_crowns",
    "shared": "share.won_shared",
}


class Result(NamedTuple):
    """How a game ended, in a language, for its picture."""

    table: str
    game: int
    names: tuple[str, ...]
    title: str

    @classmethod
    def of(cls, state: State, language: Language) -> Result:
        """Describe the last game of a table that has finished one."""
        assert state.finished is not None
        names = number_duplicates(seat.name or say(language, "common.guest") for seat in state.seats)
        match = state.finished.match
        points = match.scores if match else [score.total for score in state.finished.scores]
        title = sentence(match or state.finished, points, names, language)
        return cls(state.id, state.game_number, tuple(names), title)


class _Drawing(NamedTuple):
    """A picture in progress or in the queue, and who asked for it first."""

    owner: Owner
    task: asyncio.Task[bytes]


class Pictures:
    """Draws pictures, one at a time and in another process, and caches the latest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Result, bytes] = OrderedDict()
        self._drawings: dict[Result, _Drawing] = {}
        self._turn = asyncio.Semaphore(1)

    async def of(self, result: Result, game: kd.Game, owner: Owner) -> bytes:
        """Return the picture of a result as PNG. Raises `Refusal` if the queue is full."""
        if result in self._kept:
            self._kept.move_to_end(result)
            return self._kept[result]
        if result not in self._drawings:
            self._make_room(owner)
            task = asyncio.create_task(self._draw(result, game))
            drawing = self._drawings[result] = _Drawing(owner, task)
            task.add_done_callback(lambda _: self._forget(result, drawing))
        task = self._drawings[result].task
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise _busy() from None
            raise

    def _make_room(self, owner: Owner) -> None:
        """Make room in the queue. Refuse the owner, or drop the newest picture of the network that has the most."""
        scope = PICTURES.exceeded(owner, [(one.owner, 1) for one in self._drawings.values()])
        if scope is None:
            return
        held = Counter(one.owner.network for one in self._drawings.values())
        network, most = held.most_common(1)[0] if held else ("", 0)
        if scope != "all" or held[owner.network] + 1 >= most:
            raise _busy()
        last = next(key for key in reversed(self._drawings) if self._drawings[key].owner.network == network)
        self._drawings.pop(last).task.cancel()

    def _forget(self, result: Result, drawing: _Drawing) -> None:
        if self._drawings.get(result) is drawing:
            del self._drawings[result]

    async def _draw(self, result: Result, game: kd.Game) -> bytes:
        text = await off_loop(_svg, result, game)
        async with self._turn:
            picture = await _rasterize(text)
        self._kept[result] = picture
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return picture


def _svg(result: Result, game: kd.Game) -> str:
    layouts = [game.layout(seat) for seat in range(len(result.names))]
    return kd.svg.result(game.position, layouts=layouts, names=result.names, title=result.title)


def tags(result: Result, language: Language, base: str) -> str:
    """Write the title and the Open Graph tags for the page of a finished table.

    ``base`` is the server's base URL, such as ``https://example.org/kingdomino``.
    """
    about = say(language, "share.about")
    properties = {
        "og:type": "website",
        "og:site_name": "Kingdomino",
        "og:title": result.title,
        "og:description": about,
        "og:url": f"{base}/t/{result.table}",
        "og:image": f"{base}/api/tables/{result.table}/picture?game={result.game}&language={language}",
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": result.title,
    }
    lines = [
        f"<title>{escape(result.title)} · Kingdomino</title>",
        f'<meta name="description" content="{escape(about)}">',
        '<meta name="twitter:card" content="summary_large_image">',
        *(f'<meta property="{name}" content="{escape(content)}">' for name, content in properties.items()),
    ]
    return "\n".join(lines)


def _busy() -> Refusal:
    return Refusal("busy", "the server is drawing other pictures; try again in a moment")


async def _rasterize(text: str) -> bytes:
    """Convert an SVG document to PNG."""
    fonts = "ours" if _LETTERS.issuperset(text) else "all"
    command = (sys.executable, "-I", str(_PROGRAM), fonts, str(WIDTH))
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    try:
        async with asyncio.timeout(_LONGEST):
            picture, _ = await process.communicate(text.encode())
    except TimeoutError:
        raise Refusal("busy", "the picture took too long to draw; try again in a moment") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError("the picture could not be drawn")
    return picture


def sentence(
    ended: events.Finished | events.MatchResult,
    points: Sequence[int],
    names: Sequence[str],
    language: Language,
) -> str:
    """Return a sentence with the winners of a game or a Dynasty."""
    who = _listed([names[seat] for seat in ended.winners], language)
    best, other = (points[seat] for seat in ended.ranking[:2])
    if isinstance(ended, events.MatchResult):
        key = "share.shared_dynasty" if len(ended.winners) > 1 else "share.won_dynasty"
    elif ended.decided_by == "score" and len(names) == 2:
        key = "share.won_two"
    else:
        key = _WON[ended.decided_by]
    return say(language, key, who=who, points=best, other=other)


def _listed(names: Sequence[str], language: Language) -> str:
    *before, last = names
    return say(language, "share.and", names=", ".join(before), last=last) if before else last
