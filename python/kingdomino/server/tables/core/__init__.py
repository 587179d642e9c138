"""What a table is: its events, its state, its commands, the actor that runs it and the registry of all tables."""
