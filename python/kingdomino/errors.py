"""Every error that the library raises for bad input.

All are `KingdominoError`, which is a `ValueError`: a caller who catches that one class has caught
them all. Each message names what was wrong, where, and why; what was asked for has not happened.

The engine itself raises these.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdomino._core import Action
    from kingdomino.values import Refusal


class KingdominoError(ValueError):
    """Something that was handed to the library is not right. The base of every error here."""


class RulesError(KingdominoError):
    """Options that do not go together, or a value that no rules set knows."""


class IllegalActionError(KingdominoError):
    """An action that is not legal now. Nothing has changed.

    The message is the reason: ``square (1, 0) is taken``, ``the kingdom would be 6 squares wide``,
    ``domino 17 is already claimed``. ``refusal`` is the same with a code and the facts, and ``action`` the
    action; both are None for a number that is not an action's.
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
    """A text that is no action, placement, end or rules set.

    The message names the text and what was expected. Kingdoms and positions raise `SetupError`,
    because they name all faults at once; records raise `RecordError`, because they name the line.
    """


class SetupError(KingdominoError):
    """A kingdom, position or deck that somebody typed and that cannot be.

    ``faults`` lists every fault that was found, not only the first.
    """

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message, faults)
        self.faults = faults or (message,)

    def __str__(self) -> str:
        return str(self.args[0])


class RecordError(KingdominoError):
    """A record that contradicts itself or the rules. The message names the line or the turn."""


class BotError(KingdominoError):
    """A bot that does not exist, or an option that it does not have. The message names those that do."""


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
