"""What an engine must not do."""


class Fault(Exception):  # noqa: N818  (what an engine did, not what went wrong in here)
    """Something that an engine must not do; the message says what. The engine can still be spoken to.

    ``line`` is the line that was at fault, where it was one.
    """

    def __init__(self, message: str, line: bytes | None = None) -> None:
        super().__init__(message)
        self.line = None if line is None else line.decode(errors="replace")


class Late(Fault):
    """Nothing came in time. It may still come."""


class Lost(Fault):
    """The engine has gone, or talks so much that it can only be ended."""
