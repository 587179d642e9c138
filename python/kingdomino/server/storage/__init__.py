"""The logs of all tables, and everything else that the server keeps, in SQLite or PostgreSQL.

`store` reads and writes, through `database`. Its parts are `archive` (the logs of tables that are over), `history` (the
games of each user), `identities` and `sessions`; `news` carries messages between processes. `schema` has the
tables, and `migrate` brings a database up to date. `backup` saves and restores a whole database through `offline`, and
`generations` manages a folder of backups. `files` has the files of SQLite.
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
