"""What Alembic runs for a migration: it uses the connection that `migrate` hands over."""

from alembic import context

from kingdomino.server.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
