"""The logs of all tables in a database: `Store` keeps them, `Entry` and `Shelf` are what it keeps.

`schema` has the tables of the database, `migrate` and `migrations` bring an older one up to date, and
`store` reads and writes. Imports SQLAlchemy and Alembic and nothing else of the server.
"""

from kingdomino.server.storage.store import Conflict, Entry, Shelf, StorageError, Store

__all__ = ["Conflict", "Entry", "Shelf", "StorageError", "Store"]
