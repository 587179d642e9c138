"""Limits of what one session, and all sessions of one address, may ask of the API.

`Usage` counts, in `Buckets`, and `RateLimit` refuses. The servers of one database tell each other what they count.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.http.identity import known_user
from kingdomino.server.http.refusing import refuse
from kingdomino.server.settings import Limits, Rate
from kingdomino.server.tables.peers import Spent
from kingdomino.server.tables.refusals import Refusal

__all__ = ["Buckets", "Client", "RateLimit", "Usage", "address_of", "is_limited", "tell_for_ever"]

_REMEMBERED: Final = 20_000  # sessions, and addresses; the one that has been idle longest is forgotten first
_EVERYONE: Final = "everyone"
_CODE: Final = "/api/code"
_WRONG: Final = (403, 404)  # the statuses of a wrong guess; with any other it was not looked at, or was right
_PART: Final = 4
"""A process tells the others what a client has used when it is the quarter of what it may use."""
_BEAT: Final = 1.0
"""Seconds between two times that a process tells."""
_VALID: Final = 5.0
"""Seconds for which the sockets count that another process has told of; it tells again each second."""
_IN_MESSAGE: Final = 60
"""Clients in one message, which may have 8,000 bytes."""


def address_of(scope: Scope) -> str:
    """The client: an IPv4 address, or the network of an IPv6 one, which may have 2^64 addresses."""
    host: str = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def is_limited(path: str) -> bool:
    """Whether the limits hold for a path."""
    return path.startswith(("/api/", "/t/", "/docs", "/openapi.json", "/health", "/ready"))


class Client(NamedTuple):
    """Who asks. Clients without a session share one with all others of their address."""

    session: str
    address: str

    @classmethod
    def of(cls, scope: Scope) -> Client:
        """Say who makes a request."""
        address = address_of(scope)
        return cls(known_user(scope) or f"at {address}", address)


class Buckets:
    """Token buckets, one for each key: ``rate.at_once`` tokens, refilled at ``rate.a_second``.

    Several processes may have a bucket of the same key. Each takes from its own, and from time to time what the others
    have taken. A bucket can owe tokens then; so all of them together give no more than one does, but for a burst.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._filled: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how full, and when that was
        self._untold: Counter[str] = Counter()
        self._due: set[str] = set()  # the keys of which enough is untold

    def take(self, key: str) -> float:
        """Take a token and give 0; if the bucket is empty, give the seconds until it has one."""
        now = self._clock()
        level = self._level(key, now)
        if level < 1:
            self._put(key, level, now)
            return (1 - level) / self._rate.a_second
        self._put(key, level - 1, now)
        self._note(key, 1)
        return 0.0

    def give_back(self, key: str) -> None:
        """Put a token back."""
        now = self._clock()
        self._put(key, min(self._level(key, now) + 1, self._rate.at_once), now)
        self._note(key, -1)

    def told(self) -> dict[str, int]:
        """Give what was taken here since it was last given, of the keys where it is a quarter of a burst."""
        taken = {key: self._untold.pop(key, 0) for key in self._due}
        self._due.clear()
        return taken

    def hear(self, taken: Mapping[str, int]) -> None:
        """Take what was taken elsewhere."""
        now = self._clock()
        for key, number in taken.items():
            self._put(key, min(self._level(key, now) - number, self._rate.at_once), now)

    def _note(self, key: str, number: int) -> None:
        self._untold[key] += number
        if abs(self._untold[key]) * _PART >= self._rate.at_once:
            self._due.add(key)

    def _level(self, key: str, now: float) -> float:
        level, since = self._filled.get(key, (float(self._rate.at_once), now))
        return min(level + (now - since) * self._rate.a_second, self._rate.at_once)

    def _put(self, key: str, level: float, now: float) -> None:
        self._filled[key] = (level, now)
        self._filled.move_to_end(key)
        if len(self._filled) > _REMEMBERED:
            forgotten, _ = self._filled.popitem(last=False)
            self._untold.pop(forgotten, None)


class _Allowance:
    """How often each session may do something, and all sessions of an address together."""

    def __init__(self, rate: Rate, of_address: int, clock: Callable[[], float]) -> None:
        self.sessions = Buckets(rate, clock)
        self.addresses = Buckets(Rate(rate.a_second * of_address, rate.at_once * of_address), clock)

    def take(self, client: Client) -> float:
        """Take a token of the session and of the address and give 0, or give the seconds to wait."""
        if wait := self.sessions.take(client.session):
            return wait
        if wait := self.addresses.take(client.address):
            self.sessions.give_back(client.session)
        return wait

    def give_back(self, client: Client) -> None:
        """Put the tokens back."""
        self.sessions.give_back(client.session)
        self.addresses.give_back(client.address)


class Usage:
    """What the clients have used of each limit, here and as far as other processes have told."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing. ``clock`` gives seconds."""
        self._clock = clock
        self.play, self.guess, self.create, self.files = (
            _Allowance(rate, limits.of_address, clock)
            for rate in (limits.play, limits.guess, limits.create, limits.files)
        )
        self.codes = Buckets(limits.codes, clock)
        half = Rate(limits.codes.a_second / 2, max(1, limits.codes.at_once // 2))
        self.codes_of_address = Buckets(half, clock)
        self._buckets = {"codes": self.codes, "codes of address": self.codes_of_address}
        for name in ("play", "guess", "create", "files"):
            allowance: _Allowance = getattr(self, name)
            self._buckets |= {name: allowance.sessions, f"{name} of address": allowance.addresses}
        self._most = (limits.sockets, limits.sockets * limits.of_address)
        self._sockets: Counter[str] = Counter()
        self._elsewhere: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        self._told_of: set[str] = set()

    def has_room(self, client: Client) -> bool:
        """Whether a client may open another socket."""
        return all(
            self._sockets[key] + self._held_elsewhere(key) < most
            for key, most in zip(client, self._most, strict=True)
        )

    @contextmanager
    def socket(self, client: Client) -> Iterator[None]:
        """Count a socket while it is open."""
        self._sockets.update(client)
        try:
            yield
        finally:
            self._sockets.subtract(client)
            for key in client:
                if not self._sockets[key]:
                    del self._sockets[key]

    def tell(self, process: str) -> list[Spent]:
        """Say what other processes must know: what was taken since the last time, and who has many sockets now.

        Called every second, it also forgets what others have told of sockets and do not tell any more.
        """
        for key in list(self._elsewhere):
            self._held_elsewhere(key)
        taken = [
            (name, key, number)
            for name, buckets in self._buckets.items()
            for key, number in buckets.told().items()
        ]
        many = {key: number for key, number in self._sockets.items() if number * _PART >= self._most[0]}
        sockets = [("sockets", key, many.get(key, 0)) for key in sorted(self._told_of | many.keys())]
        self._told_of = set(many)
        used = [*taken, *sockets]
        parts = (used[start : start + _IN_MESSAGE] for start in range(0, len(used), _IN_MESSAGE))
        return [Spent(process=process, used=tuple(part)) for part in parts]

    def hear(self, message: Spent) -> None:
        """Take note of what another process tells."""
        until = self._clock() + _VALID
        for name, key, number in message.used:
            if name == "sockets" and number:
                self._elsewhere[key][message.process] = number, until
            elif name == "sockets":
                self._elsewhere.get(key, {}).pop(message.process, None)
            elif name in self._buckets:  # another version may have more
                self._buckets[name].hear({key: number})

    def _held_elsewhere(self, key: str) -> int:
        """Count the sockets of a client at other processes."""
        if key not in self._elsewhere:
            return 0
        now = self._clock()
        held = {process: kept for process, kept in self._elsewhere[key].items() if kept[0] and kept[1] > now}
        if held:
            self._elsewhere[key] = held
        else:
            del self._elsewhere[key]
        return sum(number for number, _ in held.values())

    def take_guess(self, client: Client, *, is_code: bool) -> float:
        """Take what a guess costs and give 0, or give the seconds to wait."""
        if wait := self.guess.take(client):
            return wait
        if is_code and (wait := self.codes_of_address.take(client.address)):
            self.guess.give_back(client)
            return wait
        if is_code and (wait := self.codes.take(_EVERYONE)):
            self.codes_of_address.give_back(client.address)
            self.guess.give_back(client)
            return wait
        return 0.0

    def give_guess_back(self, client: Client, *, is_code: bool) -> None:
        """Put back what a guess cost."""
        self.guess.give_back(client)
        if is_code:
            self.codes_of_address.give_back(client.address)
            self.codes.give_back(_EVERYONE)


async def tell_for_ever(usage: Usage, process: str, tell: Callable[[Spent], None]) -> None:
    """Tell the other processes every second."""
    while True:
        await asyncio.sleep(_BEAT)
        for message in usage.tell(process):
            tell(message)


class RateLimit:
    """Limits how much one session, and one address, may ask of the API.

    A guess (three words, the secret of a seat or a link, a passkey) costs a token only if it was wrong, so a whole
    class can join at once. Wrong words are also limited for everyone together, since there are only two million, and
    one address has half of that; not at one table, whose address one must know first.
    """

    def __init__(self, app: ASGIApp, usage: Usage) -> None:
        self._app, self._usage = app, usage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or not is_limited(scope["path"]):
            return await self._app(scope, receive, send)
        client = Client.of(scope)
        if wait := self._usage.play.take(client):
            return await _refuse_flood(scope, send, wait)
        if scope["type"] == "websocket":
            return await self._socket(client, scope, receive, send)
        if scope["method"] == "POST" and _is_guess(scope["path"]):
            return await self._guessing(client, scope, receive, send)
        if _creates(scope["method"], scope["path"]) and (wait := self._usage.create.take(client)):
            return await _refuse_flood(scope, send, wait)
        if _is_file(scope["method"], scope["path"]) and (wait := self._usage.files.take(client)):
            return await _refuse_flood(scope, send, wait)
        return await self._app(scope, receive, send)

    async def _socket(self, client: Client, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._usage.has_room(client):
            return await _refuse_flood(scope, send, 1)
        with self._usage.socket(client):
            await self._app(scope, receive, send)
        return None

    async def _guessing(self, client: Client, scope: Scope, receive: Receive, send: Send) -> None:
        is_code = scope["path"] == _CODE
        if wait := self._usage.take_guess(client, is_code=is_code):
            return await _refuse_flood(scope, send, wait)

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] not in _WRONG:
                self._usage.give_guess_back(client, is_code=is_code)
            await send(message)

        await self._app(scope, receive, watch)
        return None


def _is_guess(path: str) -> bool:
    is_seat = path.startswith("/api/tables/") and path.endswith("/seats")
    return is_seat or path in (_CODE, "/api/link", "/api/passkey")


def _creates(method: str, path: str) -> bool:
    """Whether a request makes the database grow, or lets the next one do so."""
    if method == "PUT":
        return path in ("/api/me", "/api/me/settings")
    at_table = ("/rematch", "/end", "/leave", "/return", "/secret")
    of_person = ("/api/me/link", "/api/me/passkeys", "/api/me/sign-out", "/api/me/forget")
    is_change = path.startswith("/api/tables/") and path.endswith(at_table)
    return method == "POST" and (is_change or path in ("/api/tables", *of_person))


def _is_file(method: str, path: str) -> bool:
    """Whether a request makes the server read whole games, or write some."""
    if method == "POST":
        return path in ("/api/me/games", "/api/records", "/api/verify", "/api/analysis/record")
    is_table = path.startswith("/api/tables/") and path.endswith(("/record", "/picture"))
    is_review = path.startswith("/api/reviews/") and path.endswith(("/choices", "/cost"))
    return (
        is_table or is_review or path.startswith("/api/games/") or path in ("/api/me/records", "/api/me/data")
    )


async def _refuse_flood(scope: Scope, send: Send, wait: float) -> None:
    reason = f"too many requests; try again in {max(1, math.ceil(wait))} s"
    await refuse(scope, send, Refusal("too_often", reason, wait=wait))
