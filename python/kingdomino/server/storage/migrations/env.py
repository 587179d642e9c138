"""Alembic's script for a migration: it uses the connection from `migrate`."""

from alembic import context

from kingdomino.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
