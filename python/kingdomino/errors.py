"""The errors that the library raises for bad input.

All derive from `KingdominoError`, a `ValueError`. Each message says what is wrong, where, and why. A call that raises
one changes nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdomino._core import Action
    from kingdomino.values import Fault, Refusal


class KingdominoError(ValueError):
    """Bad input: the base class of all errors here."""


class RulesError(KingdominoError):
    """An unknown option of a rules set, or options that exclude each other."""


class IllegalActionError(KingdominoError):
    """An action that is not legal now.

    The message is the reason, such as ``square (1, 0) is taken``. ``refusal`` is a `Refusal` with its code and facts,
    ``action`` the `Action`. Both are None for a number that belongs to no action.
    """

    def __init__(
        self, message: str, refusal: "Refusal | None" = None, action: "Action | None" = None
    ) -> None:
        super().__init__(message, refusal, action)
        self.refusal = refusal
        self.action = action

    def __str__(self) -> str:
        return str(self.args[0])


class ParseError(KingdominoError):
    """A text that is not an action, a placement, an end, a terrain or a rules set.

    The message has the found and the expected text. ``text`` is the input, ``offset`` the number of characters before
    the fault. Kingdoms and positions raise `SetupError` instead, records `RecordError`.
    """

    def __init__(self, message: str, text: str = "", offset: int = 0) -> None:
        super().__init__(message, text, offset)
        self.text = text
        self.offset = offset

    def __str__(self) -> str:
        return str(self.args[0])


class PictureError(KingdominoError):
    """A picture that cannot be read.

    ``code`` is ``format`` (not JPEG, PNG or WebP), ``heic``, ``animated``, ``damaged``, ``too_large``, ``too_small``,
    ``too_dark``, ``corners`` or ``no_kingdom``.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message, code)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[0])


class SetupError(KingdominoError):
    """An impossible kingdom, position, line or deck.

    ``faults`` lists every fault, one sentence each; ``details`` has the same faults as `Fault`, for programs.
    """

    def __init__(self, message: str, details: "tuple[Fault, ...]" = ()) -> None:
        super().__init__(message, details)
        self.details = details

    @property
    def faults(self) -> tuple[str, ...]:
        """Every fault, one sentence each."""
        return tuple(map(str, self.details)) or (str(self),)

    def __str__(self) -> str:
        return str(self.args[0])


class RecordError(KingdominoError):
    """A record that contradicts itself or the rules. The message names the line, the event or the field.

    ``fault`` is a `Fault` with a code and its facts (docs/formats/record.md). ``number`` is the number of the line of
    text, or of the event of JSON, from 1; None if it is elsewhere. ``refusal`` is a `Refusal` if an action is illegal.

    `kingdomino.games.read` adds the place of the record: ``file``, ``record`` (its number in the file, from 1) and
    ``line`` of the file; None if unknown.
    """

    def __init__(
        self,
        message: str,
        fault: "Fault | None" = None,
        number: int | None = None,
        refusal: "Refusal | None" = None,
    ) -> None:
        super().__init__(message, fault, number, refusal)
        self.fault = fault
        self.number = number
        self.refusal = refusal
        self.file: str | None = None
        self.record: int | None = None
        self.line: int | None = None

    def __str__(self) -> str:
        return str(self.args[0])


class BotError(KingdominoError):
    """An unknown bot or option. The message lists the valid ones."""


class EngineError(KingdominoError):
    """An engine that does not start, or that ended after three strikes.

    ``strikes`` has one sentence for each strike. ``stderr`` is the end of the program's standard error.
    """

    def __init__(self, message: str, strikes: tuple[str, ...] = (), stderr: str = "") -> None:
        super().__init__(message, strikes, stderr)
        self.strikes = strikes
        self.stderr = stderr

    def __str__(self) -> str:
        return str(self.args[0])


class ArenaError(KingdominoError):
    """A faulty arena file, store of games or run. The message names the key or the line."""


class ResultsError(KingdominoError):
    """Contradictory results of games, or too few for a statistic."""
