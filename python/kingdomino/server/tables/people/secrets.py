"""Secrets of seats: the part of a private link that lets its holder sit down.

A secret is derived from the server's key, the table, the seat and the event that created the seat's entry. So the
server need not store it, nobody can guess it, and it expires when a player uses it.
"""

import hashlib
import hmac
import secrets

_ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_ID_LENGTH = 12


def new_table_id() -> str:
    """Generate the id of a table: 60 random bits."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def rematch_id(key: bytes, table: str) -> str:
    """Return the id of a rematch's table: the same in every process, and unpredictable for clients."""
    digest = hmac.new(key, f"rematch {table}".encode(), hashlib.sha256).digest()
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in digest[:_ID_LENGTH])


def is_table_id(text: str) -> bool:
    """Whether a text has the form of a table's id."""
    return len(text) == _ID_LENGTH and all(letter in _ID_LETTERS for letter in text)


def seat_secret(key: bytes, table: str, seat: int, since: int) -> str:
    """Return the secret of a seat's entry: 64 hex digits."""
    return hmac.new(key, f"seat {table} {seat} {since}".encode(), hashlib.sha256).hexdigest()


def is_seat_secret(key: bytes, table: str, seat: int, since: int, given: str) -> bool:
    """Compare in constant time."""
    return is_same(given, seat_secret(key, table, seat, since))


def is_same(given: str, secret: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(secret.encode(), given.encode())


def pseudonym(key: bytes, text: str) -> str:
    """Return a pseudonym for an address or a person, the same in every process: 16 hex digits."""
    return hmac.new(key, f"pseudonym {text}".encode(), hashlib.sha256).hexdigest()[:16]
