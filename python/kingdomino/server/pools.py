"""The server's limited resources (pools), with the quotas of one person and of one network.

Anyone can have many sessions, so limits for each person are not enough: all people of a network have a quota together.
A network is an IPv4 address, or an IPv6 /56, the usual size for a household. Every limit in the server is one of
`POOLS`, which the hosting guide lists.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from kingdomino.server.settings import Limits, Overload, Rate, Settings, SlowBots

__all__ = [
    "ANSWERS",
    "LINK_LASTS",
    "LISTED",
    "MOST_IMPORTED",
    "MOST_PASSKEYS",
    "PICTURES",
    "POOLS",
    "REMEMBERED",
    "Memory",
    "Owner",
    "Pool",
    "Quota",
    "Rates",
    "connections",
    "lobby",
    "network_of",
    "public_tables",
    "rates",
    "requests",
    "slow_bots",
    "sockets",
    "tables",
]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Scope: TypeAlias = Literal["person", "network", "all"]
_HOUSEHOLD: Final = 56  # bits of an IPv6 address


def network_of(host: str) -> str:
    """Return the network of an address: an IPv4 address itself, or the /56 of an IPv6 address.

    >>> network_of("192.0.2.7"), network_of("2001:db8:0:1ff::7")
    ('192.0.2.7', '2001:db8:0:100::')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    rest = address.max_prefixlen - _HOUSEHOLD
    return str(address.ipv4_mapped or IPv6Address(int(address) >> rest << rest))


class Owner(NamedTuple):
    """The user of a place in a pool: a person and their network. Clients without a session count as one per network."""

    person: str
    network: str


class Quota(NamedTuple):
    """The places of a pool, and how many of them one person and one network may use. `None`: no such limit."""

    total: int | None
    of_person: int | None
    of_network: int | None

    def exceeded(self, owner: Owner, held: Iterable[tuple[Owner, int]], wanted: int = 1) -> Scope | None:
        """Return which limit the owner would exceed with the wanted places in addition to those held.

        In the total, a network counts for no more than its quota.
        """
        networks, own = Counter[str](), 0
        for holder, number in held:
            networks[holder.network] += number
            own += number if holder.person == owner.person else 0
        if self.of_person is not None and own + wanted > self.of_person:
            return "person"
        most = self.of_network
        if most is not None and networks[owner.network] + wanted > most:
            return "network"
        in_use = sum(number if most is None else min(number, most) for number in networks.values())
        return "all" if self.total is not None and in_use + wanted > self.total else None


class Rates(NamedTuple):
    """How often one person and one network may do something. `None`: no such limit."""

    of_person: Rate | None
    of_network: Rate


class Memory(Generic[K, V]):
    """A least-recently-written cache of facts about clients.

    When it is full, the oldest entry of the network that was idle longest goes. A network over its quota loses its own
    oldest entry.
    """

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._of: OrderedDict[str, OrderedDict[K, V]] = OrderedDict()
        self._networks: dict[K, str] = {}

    def __len__(self) -> int:
        return len(self._networks)

    def __contains__(self, key: K) -> bool:
        return key in self._networks

    def get(self, key: K) -> V | None:
        """Return the value of a key."""
        network = self._networks.get(key)
        return None if network is None else self._of[network][key]

    def put(self, key: K, value: V, network: str | None = None) -> K | None:
        """Store a value, and return the key that was evicted for it. Without ``network`` the key keeps its network."""
        known = self._networks.get(key, "")
        if network is None:
            network = known
        if network != known:
            self.pop(key)
        entries = self._of.setdefault(network, OrderedDict())
        entries[key] = value
        entries.move_to_end(key)
        self._of.move_to_end(network)
        self._networks[key] = network
        total, most = self._quota.total, self._quota.of_network
        if most is not None and len(entries) > most:
            return self._forget(entries)
        if total is not None and len(self) > total:
            return self._forget(next(iter(self._of.values())))
        return None

    def pop(self, key: K) -> None:
        """Remove a key."""
        network = self._networks.pop(key, None)
        if network is None:
            return
        del self._of[network][key]
        if not self._of[network]:
            del self._of[network]

    def of_network(self, network: str) -> list[K]:
        """Return the keys of a network, the oldest first."""
        return list(self._of.get(network, ()))

    def _forget(self, entries: OrderedDict[K, V]) -> K:
        oldest = next(iter(entries))
        self.pop(oldest)
        return oldest


# The pools.


PICTURES: Final = Quota(12, 2, 4)
"""Pictures in progress or in the queue."""
ANSWERS: Final = Quota(10_000, None, 500)
"""Remembered answers to passkey challenges, so that each is accepted once."""
REMEMBERED: Final = Quota(20_000, None, 1_000)
"""Clients whose usage of a limit is remembered."""
MOST_IMPORTED: Final = 2000
"""Imported games that a person can have."""
MOST_PASSKEYS: Final = 20
"""Passkeys that a person can have."""
LINK_LASTS: Final = 600
"""Lifetime of a link to another device, in seconds. A person has one."""
LISTED: Final = 50
"""Tables in each of the two lists of the lobby."""


def tables(settings: Settings) -> Quota:
    """Return the quota of tables in use. A network has half of them at most."""
    most, limits = settings.max_tables, settings.tables
    if not settings.limits.enforced:
        return Quota(most, None, None)
    return Quota(most, limits.of_person, min(limits.of_address, (most + 1) // 2))


def public_tables(settings: Settings) -> Quota:
    """Return the quota of unfinished public tables."""
    if not settings.limits.enforced:
        return Quota(None, None, None)
    return Quota(None, settings.tables.public_of_person, settings.tables.public_of_address)


def lobby(settings: Settings) -> Quota:
    """Return the quota of places in each list of the lobby."""
    return Quota(LISTED, None, settings.tables.listed_of_address if settings.limits.enforced else None)


def slow_bots(bots: SlowBots, threads: int) -> Quota:
    """Return the quota of slow bots, with this number of threads."""
    return Quota(bots.of_thread * threads, bots.of_person, bots.of_address)


def sockets(limits: Limits) -> Quota:
    """Return the quota of open sockets."""
    return Quota(None, limits.sockets, limits.sockets * limits.of_address)


def connections(limits: Limits) -> Quota:
    """Return the quota of open connections other than sockets."""
    return Quota(None, None, limits.connections if limits.enforced else None)


def requests(overload: Overload) -> Quota:
    """Return the quota of requests in progress."""
    return Quota(overload.requests, None, overload.requests_of_address)


def rates(limits: Limits) -> dict[str, Rates]:
    """Return all rate limits, by the names of their settings."""
    named = {name: getattr(limits, name) for name in ("play", "guess", "create", "files", "imports")}
    both = {
        name: Rates(rate, Rate(rate.a_second * limits.of_address, rate.at_once * limits.of_address))
        for name, rate in named.items()
    }
    return {**both, "codes": Rates(None, limits.codes)}


class Pool(NamedTuple):
    """A pool: its contents, its quota for given settings, and the server's reaction when it is full."""

    holds: str
    quota: Callable[[Settings], Quota | Rates]
    when_full: str


_REFUSED: Final = "refused with status 429 and the time to wait"

POOLS: Final[dict[str, Pool]] = {
    "tables": Pool(
        "tables in use: not over, and followed or just requested by a client",
        tables,
        "finished tables leave memory, then those with the fewest people and unused for longest; they stay in the "
        "database. If all are in use: `too_many_tables`",
    ),
    "slow bots": Pool(
        "slow bots at tables in use (for each thread)",
        lambda settings: slow_bots(settings.slow_bots, 1),
        "`too_many_bots`; networks take turns with the threads",
    ),
    "public tables": Pool(
        "unfinished public tables",
        public_tables,
        "`too_many_tables`",
    ),
    "lobby": Pool(
        "places in each list of the lobby",
        lobby,
        "shows the newest; visitors of the same network see all of theirs",
    ),
    "sockets": Pool("open sockets", lambda settings: sockets(settings.limits), _REFUSED),
    "connections": Pool(
        "other open connections, except those of trusted proxies",
        lambda settings: connections(settings.limits),
        "closed at once",
    ),
    "requests": Pool(
        "requests in progress",
        lambda settings: requests(settings.overload),
        "`busy`: first for everything but games, then for new games",
    ),
    "pictures": Pool(
        "pictures of games, in progress or in the queue",
        lambda _: PICTURES,
        "drops the newest of the network with the most; `busy`",
    ),
    "passkey answers": Pool(
        "answers to passkey challenges, remembered for two minutes",
        lambda _: ANSWERS,
        "forgets the oldest",
    ),
    "memory": Pool(
        "clients whose usage of a limit is remembered",
        lambda _: REMEMBERED,
        "forgets the client idle for longest, which resets its limit",
    ),
    "play": Pool("requests of any kind", lambda settings: rates(settings.limits)["play"], _REFUSED),
    "create": Pool(
        "new tables, device links, passkeys, names, settings",
        lambda settings: rates(settings.limits)["create"],
        _REFUSED,
    ),
    "files": Pool(
        "games read or written as files, and pictures",
        lambda settings: rates(settings.limits)["files"],
        _REFUSED,
    ),
    "imports": Pool("imported games", lambda settings: rates(settings.limits)["imports"], _REFUSED),
    "guess": Pool(
        "wrong secrets of seats and links, wrong passkeys and codes",
        lambda settings: rates(settings.limits)["guess"],
        _REFUSED,
    ),
    "codes": Pool("wrong codes", lambda settings: rates(settings.limits)["codes"], _REFUSED),
    "games kept": Pool(
        "imported games in a person's list", lambda _: Quota(None, MOST_IMPORTED, None), "`too_many_games`"
    ),
    "passkeys": Pool("passkeys", lambda _: Quota(None, MOST_PASSKEYS, None), "`bad_passkey`"),
    "device links": Pool(
        f"links to another device, for {LINK_LASTS // 60} minutes",
        lambda _: Quota(None, 1, None),
        "a new one ends the previous one",
    ),
}
"""Every pool. The last three use the network limits of `create` and `imports`."""
