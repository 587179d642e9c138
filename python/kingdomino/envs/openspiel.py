"""The game for OpenSpiel: ``pyspiel.load_game("python_kingdomino")``.

Importing this module registers it. Hidden information is revealed by chance nodes, one domino or one king
at a time, with the true probabilities; so OpenSpiel's exact algorithms and searches with chance nodes work.
The rules set is given by its text: ``pyspiel.load_game("python_kingdomino", {"rules": "4.second.random"})``.

Actions have their numbers (docs/formats/action.md). The chance outcome of domino n is n - 1, that of a king
of seat s is s.
"""

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

import kingdomino as kd
from kingdomino import _core
from kingdomino.envs import observation

_DEFAULT = kd.Rules().to_text()

_TYPE = pyspiel.GameType(
    short_name="python_kingdomino",
    long_name="Kingdomino",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"rules": _DEFAULT},
)


class KingdominoGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """A rules set. A seat's return is its rank, from 1 for the first place to -1 for the last."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = kd.Rules.parse((params or {}).get("rules", _DEFAULT))
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.rules.action_count,
                max_chance_outcomes=len(kd.DOMINOES),
                num_players=self.rules.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.rules.plies,
            ),
            params or {},
        )

    def new_initial_state(self) -> "KingdominoState":
        """Return the state before the first line is drawn."""
        return KingdominoState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,  # noqa: ARG002 - part of OpenSpiel's interface
        params: dict[str, Any] | None = None,
    ) -> "KingdominoObserver":
        """Return an observer. Raises `KingdominoError` for parameters, since it has none."""
        if params:
            raise kd.KingdominoError(f"an observer has no parameters: {', '.join(params)}")
        return KingdominoObserver(self.rules)


class KingdominoState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A position, or a chance node.

    Holds a `kingdomino.Game` with a placeholder deck, and makes it again whenever chance has drawn a line or
    a king.
    """

    def __init__(self, game: KingdominoGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self._deck: list[int] = []
        self._kings: list[int] = []
        self._played: list[kd.Action] = []
        self._game: kd.Game | None = None
        self.position: kd.Position | None = None
        """The position at the last decision, or at the end; None before the first decision."""

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for the end."""
        if self._game is None or self._line_is_open() or self._king_is_open():
            return int(pyspiel.PlayerId.CHANCE)
        seat = self._game.position.to_move
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes, each with its probability."""
        if self._line_is_open():
            unseen = [domino.number - 1 for domino in kd.DOMINOES if domino.number not in self._deck]
            return [(number, 1 / len(unseen)) for number in unseen]
        waiting = [self.rules.kings - self._kings.count(seat) for seat in range(self.rules.players)]
        return [(seat, kings / sum(waiting)) for seat, kings in enumerate(waiting) if kings]

    def _legal_actions(self, player: int) -> list[int]:
        if self._game is None or player != self.current_player():
            return []
        return sorted(action.number(self.rules) for action in self._game.legal_actions())

    def _apply_action(self, action: int) -> None:
        if self._game is None or self.is_chance_node():
            if self._line_is_open():
                self._deck.append(action + 1)
            else:
                self._kings.append(action)
            if not self._line_is_open() and not self._king_is_open():
                self._game = self._dealt()
        else:
            self._played.append(kd.Action.from_number(action, self.rules))
            self._game.play(self._played[-1])
        if self._game is not None and not self.is_chance_node():
            self.position = self._game.position

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"domino {action + 1}" if self._line_is_open() else f"king {action}"
        return str(kd.Action.from_number(action, self.rules))

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self._game is not None and self._game.is_over

    def returns(self) -> list[float]:
        """Return the rank of each seat, from 1 to -1; 0 for all before the end."""
        if self._game is None:
            return [0.0] * self.rules.players
        return list(_core.rewards(self._game.position, "rank"))

    def __str__(self) -> str:
        dealt = f"deck {self._deck} kings {self._kings}"
        return dealt if self._game is None else f"{self._game.position.to_text()} {dealt}"

    def _lines_due(self) -> int:
        """Count the lines that have been revealed or are due."""
        if self._game is None:
            return 1
        position = self._game.position
        return min(position.round + 1, self.rules.rounds)

    def _line_is_open(self) -> bool:
        return len(self._deck) < self._lines_due() * self.rules.line_length

    def _king_is_open(self) -> bool:
        if self._game is not None and self._game.position.round:
            return False
        if self.rules.opening == "snake":
            return not self._kings
        return len(self._kings) <= len(self._played)

    def _dealt(self) -> kd.Game:
        """Make the game from the dominoes and kings drawn so far, with the others as placeholders."""
        others = [domino.number for domino in kd.DOMINOES if domino.number not in self._deck]
        deck = (self._deck + others)[: self.rules.dominoes_in_play]
        game = kd.Game(self.rules, seed=0, deck=deck, opening=self._opening())
        for action in self._played:
            game.play(action)
        return game

    def _opening(self) -> list[int]:
        if self.rules.opening == "snake":
            first = self._kings[0]
            return [first, 1 - first, 1 - first, first]
        left = [
            seat
            for seat in range(self.rules.players)
            for _ in range(self.rules.kings - self._kings.count(seat))
        ]
        return self._kings + left


class KingdominoObserver:
    """Writes observations in the compact form (docs/formats/observation.md), and positions as text."""

    def __init__(self, rules: kd.Rules) -> None:
        self._form = observation.compact_dtype(rules)
        self.tensor: NDArray[np.float32] = np.zeros(self._form.itemsize, np.float32)
        self.dict = {"compact": self.tensor}

    def set_from(self, state: KingdominoState, player: int) -> None:
        """Write what this seat sees; zeros before the first decision."""
        self.tensor[:] = 0
        if state.position is not None:
            self.tensor[:] = observation.observe(state.position, player, "compact")["compact"]

    def string_from(self, state: KingdominoState, player: int) -> str:  # noqa: ARG002 - part of OpenSpiel's interface
        """Return the position as text; it is the same for all seats."""
        return "" if state.position is None else state.position.to_text()


pyspiel.register_game(_TYPE, KingdominoGame)
