"""Every error that the library raises for bad input.

All are `KingdominoError`, which is a `ValueError`: catch that one class to catch them all. Each message says what
was wrong, where, and why. A call that raises changes nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdomino._core import Action
    from kingdomino.values import Refusal


class KingdominoError(ValueError):
    """Bad input. The base of every error here."""


class RulesError(KingdominoError):
    """Options that do not go together, or an unknown option."""


class IllegalActionError(KingdominoError):
    """An action that is not legal now. Nothing has changed.

    The message is the reason: ``square (1, 0) is taken``, ``the kingdom would be 6 squares wide``,
    ``domino 17 is already claimed``. ``refusal`` is the same with a code and the facts, and ``action`` the
    action. Both are None for a number that is not an action's.
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

    The message says what was found and what was expected. ``text`` is what was to be read, ``offset`` how many
    characters stand before what is wrong. Kingdoms and positions raise `SetupError`, which lists all faults;
    records raise `RecordError`, which names the line.
    """

    def __init__(self, message: str, text: str = "", offset: int = 0) -> None:
        super().__init__(message, text, offset)
        self.text = text
        self.offset = offset

    def __str__(self) -> str:
        return str(self.args[0])


class SetupError(KingdominoError):
    """A kingdom, position, line or deck that cannot be. ``faults`` lists every fault, not only the first."""

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message, faults)
        self.faults = faults or (message,)

    def __str__(self) -> str:
        return str(self.args[0])


class RecordError(KingdominoError):
    """A record that contradicts itself or the rules. The message names the line or the turn."""


class BotError(KingdominoError):
    """An unknown bot, or an option that it does not have. The message lists those that exist."""


class EngineError(KingdominoError):
    """A bot in another process that cannot be started, or that was ended after three strikes.

    ``strikes`` says what it did each time; ``stderr`` is the end of what it wrote there.
    """

    def __init__(self, message: str, strikes: tuple[str, ...] = (), stderr: str = "") -> None:
        super().__init__(message, strikes, stderr)
        self.strikes = strikes
        self.stderr = stderr

    def __str__(self) -> str:
        return str(self.args[0])


class ArenaError(KingdominoError):
    """An arena file, a store of games or a run that is not right. The message names the key or the line."""


class ResultsError(KingdominoError):
    """Results of games that contradict themselves, or that cannot answer what was asked of them."""
