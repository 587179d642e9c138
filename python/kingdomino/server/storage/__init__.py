"""The logs of all tables in a database: `Store` keeps them, `Entry`, `TableRow` and `Passkey` are what it keeps.

`schema` has the tables of the database, `migrate` and `migrations` bring an older one up to date, and
`store` reads and writes.
"""

from kingdomino.server.storage.identities import Passkey
from kingdomino.server.storage.store import Conflict, Entry, StorageError, Store, TableRow

__all__ = ["Conflict", "Entry", "Passkey", "StorageError", "Store", "TableRow"]
