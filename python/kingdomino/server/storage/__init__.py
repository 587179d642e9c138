"""The logs of all tables in a database: `Store` keeps them, `Entry`, `TableRow` and `Passkey` are what it keeps.

`schema` has the tables of the database, `migrate` and `migrations` bring an older one up to date, and
`store` reads and writes. `archive` has the logs of tables that are over, and `history` the games that the users have
played. `backup` and `offline` work on a whole database.
"""

from kingdomino.server.storage.archive import Entry
from kingdomino.server.storage.history import History, Place, Result, Sum
from kingdomino.server.storage.identities import Passkey
from kingdomino.server.storage.news import conninfo
from kingdomino.server.storage.store import Conflict, StorageError, Store, TableRow

__all__ = [
    "Conflict",
    "Entry",
    "History",
    "Passkey",
    "Place",
    "Result",
    "StorageError",
    "Store",
    "Sum",
    "TableRow",
    "conninfo",
]
