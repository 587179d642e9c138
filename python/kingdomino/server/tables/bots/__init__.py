"""The bots at tables: which ones there are, and the threads in which they think."""
