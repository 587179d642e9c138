"""The bots at tables: the offered bots, and the threads in which they think."""
