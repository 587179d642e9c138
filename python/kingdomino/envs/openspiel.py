"""The game for OpenSpiel: ``pyspiel.load_game("python_kingdomino")``.

Importing this module registers it. Chance nodes reveal hidden information, one domino or one king at a time,
with the true probabilities, so OpenSpiel's exact algorithms and searches with chance nodes work. Pass the text of a
rules set: ``pyspiel.load_game("python_kingdomino", {"rules": "4.second.random"})``.

Actions have their numbers (docs/formats/action.md). The chance outcome of domino n is n - 1, and of a king
of seat s it is s.
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
        """Return an observer, which has no parameters. Raises `KingdominoError` if there are any."""
        if params:
            raise kd.KingdominoError(f"an observer has no parameters: {', '.join(params)}")
        return KingdominoObserver(self.rules)


class KingdominoState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A position. While a line is due, also its dominoes drawn so far."""

    def __init__(self, game: KingdominoGame) -> None:
        super().__init__(game)
        self._now = kd.Position(game.rules)
        self._drawn: list[int] = []
        self.position: kd.Position | None = None
        """The position at the last decision, or at the end; None before the first decision."""

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for the end."""
        seat = self._now.to_move
        if seat is not None:
            return seat
        return int(pyspiel.PlayerId.TERMINAL if self._now.is_over else pyspiel.PlayerId.CHANCE)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes, each with its probability."""
        if self._now.due == "king":
            return [
                (event.seat, probability)
                for event, probability in self._now.chance_outcomes()
                if isinstance(event, kd.KingDrawn)
            ]
        left = sorted(domino.number for domino in self._now.unseen)
        left = [number for number in left if number not in self._drawn]
        return [(number - 1, 1 / len(left)) for number in left]

    def _legal_actions(self, player: int) -> list[int]:
        if player != self._now.to_move:
            return []
        return sorted(action.number(self._now.rules) for action in self._now.legal_actions())

    def _apply_action(self, action: int) -> None:
        position = self._now
        if position.due == "king":
            self._now = position.draw(action)
        elif position.due == "line":
            self._drawn.append(action + 1)
            if len(self._drawn) == position.rules.line_length:
                self._now, self._drawn = position.reveal(self._drawn), []
        else:
            self._now = position.play(kd.Action.from_number(action, position.rules))
        if not self._now.due:
            self.position = self._now

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"king {action}" if self._now.due == "king" else f"domino {action + 1}"
        return str(kd.Action.from_number(action, self._now.rules))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._now.is_over

    def returns(self) -> list[float]:
        """Return the rank of each seat, from 1 to -1; 0 for all before the end."""
        if not self._now.is_over:
            return [0.0] * self._now.rules.players
        return list(_core.rewards(self._now, "rank"))

    def __str__(self) -> str:
        return " ".join([self._now.to_text(), *(["drawn", *map(str, self._drawn)] if self._drawn else [])])


class KingdominoObserver:
    """Writes observations in the compact form (docs/formats/observation.md), and positions as text."""

    def __init__(self, rules: kd.Rules) -> None:
        self._form = observation.compact_dtype(rules)
        self.tensor: NDArray[np.float32] = np.zeros(self._form.itemsize, np.float32)
        self.dict = {"compact": self.tensor}

    def set_from(self, state: KingdominoState, player: int) -> None:
        """Write this seat's observation; zeros before the first decision."""
        self.tensor[:] = 0
        if state.position is not None:
            self.tensor[:] = observation.observe(state.position, player, "compact")["compact"]

    def string_from(self, state: KingdominoState, player: int) -> str:  # noqa: ARG002 - part of OpenSpiel's interface
        """Return the position as text, the same for all seats."""
        return "" if state.position is None else state.position.to_text()


pyspiel.register_game(_TYPE, KingdominoGame)
