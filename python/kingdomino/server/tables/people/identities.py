"""Merge or delete an identity at all its tables.

The seats change by events, so that every client sees it. Then the log is rewritten to remove the old identity, and for
a deletion also the name, from earlier events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from kingdomino.server.storage import Entry, StorageError
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.actor import Command
from kingdomino.server.tables.core.commands import Transaction
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.history.played import results

__all__ = ["forget", "forget_late", "join", "names_of"]

_log = logging.getLogger(__name__)
_Read: TypeAlias = tuple[Entry, events.TableEvent, events.Secret | None]


async def join(registry: Registry, old: str, new: str) -> None:
    """Move the seats, tables, games and passkeys of one identity to another, and remove the first."""
    await registry.store.history.move(old, new)
    await _replace(registry, old, new)
    await registry.store.history.move(old, new)  # games that have ended meanwhile
    await registry.store.identities.merge(old, new)


async def forget(registry: Registry, user: str) -> None:
    """Remove an identity and its name. Its games stay; in unfinished ones a bot takes over."""
    await registry.store.identities.remove(user)
    await _replace(registry, user, None)
    await registry.store.history.forget(user)  # last, when no game can end in its name


async def forget_late(registry: Registry, user: str, seconds: float) -> None:
    """Delete an identity again after a delay, because other processes learn late that its cookies are revoked."""
    await asyncio.sleep(seconds)
    try:
        await forget(registry, user)
    except (Refusal, StorageError):
        _log.exception("an identity could not be deleted again")


def names_of(entries: Sequence[Entry], user: str) -> set[str]:
    """Return a user's names in a log that was read with its secrets."""
    return {name for _, name in _names(_read(entries), user)}


async def _replace(registry: Registry, old: str, new: str | None) -> None:
    """Replace an identity at every table that mentions it. After a failure, another call does the rest."""
    for table in await registry.store.identities.tables(old):
        actor = None
        try:
            actor = await registry.table(table)
            command: Command
            if new is None:
                names = _names(_read(await registry.store.entries(table, secrets=True)), old)
                command = partial(_vacate, user=old, names=names)
            else:
                command = partial(_hand_over, old=old, new=new)
        except Refusal:
            raise
        except Exception:  # a damaged table must not stop the others
            _log.exception("a table could not be loaded", extra={"table": table})
        else:
            await actor.ask(command)
            await actor.replace_host(old, new)  # the host may have no seat
        try:
            await registry.store.rewrite(table, lambda entries: _rewritten(entries, old, new), old, new)
        except StorageError:
            raise
        except Exception:  # as above
            _log.exception("the log of a table could not be rewritten", extra={"table": table})
        if actor is not None:
            while not await registry.store.correct(table, actor.state.number, results(actor.state)):
                await actor.catch_up()  # another identity was replaced just now


def _hand_over(transaction: Transaction, old: str, new: str) -> None:
    """Give the seats of one identity to another."""
    _keep_time(transaction)
    for seat in transaction.state.seats_of(old):
        transaction.seat(seat, replace(transaction.state.seats[seat], user=new))


def _vacate(transaction: Transaction, user: str, names: Set[tuple[int, str]]) -> None:
    """Take the seats from an identity. Before the game they become free, later a nameless guest gets them.

    A seat that moved to another device loses the ``names`` that it had before.
    """
    state = transaction.state
    _keep_time(transaction)
    was_waiting = state.stage == "waiting"
    for seat in state.seats_of(user):
        if was_waiting:
            transaction.seat(seat, Seat("open" if state.public else "invited"))
            continue
        if state.stage in ("drawing", "playing", "between") and state.seats[seat].away is None:
            transaction.leave(seat, "left")
        transaction.seat(seat, replace(state.seats[seat], name=None, user=None))
        if state.stage == "over" and seat in state.wishes.rematch:
            transaction.wish(seat, "rematch", yes=False)
    for seat, entry in enumerate(state.seats):
        if entry.kind == "person" and (seat, entry.name) in names:
            transaction.seat(seat, replace(entry, name=None))
    if was_waiting and state.host == user:
        transaction.close("host")


def _keep_time(transaction: Transaction) -> None:
    """At a finished table, reuse the time of the last event, because lists are sorted by it."""
    if transaction.state.is_over:
        transaction.at = transaction.state.updated


def _rewritten(entries: Sequence[Entry], old: str, new: str | None) -> Iterator[Entry]:
    """Yield the changed entries. Without ``new``, remove the names as well, even where another identity had the same
    seat under the same name.
    """
    read, state = _read(entries), State("")
    names = _names(read, old) if new is None else set()
    for entry, event, secret in read:
        state.note(event, entry.body, secret)
    # Store the last host: replay derives a change of host from the identities that we remove.
    host = new if state.host == old else state.host
    for entry, event, secret in read:
        if isinstance(event, events.Created) and isinstance(secret, events.CreatedSecret):
            seats = tuple(_renamed(one, names) for one in event.seats)
            body = event.model_copy(update={"seats": seats}).model_dump_json()
            users = {seat: new if user == old else user for seat, user in secret.users.items()}
            known = {seat: user for seat, user in users.items() if user is not None}
            hidden: events.Secret = secret.model_copy(update={"host": host, "users": known})
        elif isinstance(event, events.Seated) and isinstance(secret, events.SeatedSecret):
            body = event.model_copy(update={"entry": _renamed(event.entry, names)}).model_dump_json()
            hidden = secret.model_copy(update={"user": new if secret.user == old else secret.user})
        else:
            continue
        if body != entry.body or hidden != secret:
            yield replace(entry, body=body, secret=hidden.model_dump_json())


def _read(entries: Sequence[Entry]) -> list[_Read]:
    """Read the entries that name identities, with their secrets."""
    return [
        (entry, events.read(entry.body), events.read_secret(entry.kind, entry.secret))
        for entry in entries
        if entry.kind in ("created", "seated")
    ]


def _names(read: Sequence[_Read], user: str) -> set[tuple[int, str]]:
    """Return the seats and the names that a log gives to a user."""
    found = set[tuple[int, str | None]]()
    for _, event, secret in read:
        if isinstance(event, events.Created) and isinstance(secret, events.CreatedSecret):
            found |= {(one.seat, one.name) for one in event.seats if secret.users.get(one.seat) == user}
        if (
            isinstance(event, events.Seated)
            and isinstance(secret, events.SeatedSecret)
            and secret.user == user
        ):
            found.add((event.seat, event.entry.name))
    return {(seat, name) for seat, name in found if name is not None}


def _renamed(entry: events.SeatEntry, names: Set[tuple[int, str]]) -> events.SeatEntry:
    is_named = entry.kind == "person" and (entry.seat, entry.name) in names
    return entry.model_copy(update={"name": None}) if is_named else entry
