"""The arena's commands. They need the extra ``arena``."""
