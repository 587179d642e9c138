"""The core of a table: events, state and commands, the actor that runs it, and the registry of all tables."""
