"""The game for OpenSpiel: ``pyspiel.load_game("python_kingdomino")``.

Importing this module registers it. Everything that is hidden comes up as chance: a line is drawn domino
by domino, a king after the other, each with its true chances, so that exact algorithms and search with
chance nodes work as they do for OpenSpiel's own games. A rules set is named by its text:
``pyspiel.load_game("python_kingdomino", {"rules": "4.second.random"})``.

Actions have their numbers (docs/formats/action.md), and so have the outcomes of chance: domino n comes up
as n - 1, the king of seat s as s.
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
    """A rules set. The return of a seat is its rank, from 1 for the first place to -1 for the last."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = kd.Rules.parse((params or {}).get("rules", _DEFAULT))
        players = self.rules.players
        turns = players * self.rules.kings * self.rules.rounds
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.rules.action_count,
                max_chance_outcomes=len(kd.DOMINOES),
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=2 * turns,
            ),
            params or {},
        )

    def new_initial_state(self) -> "KingdominoState":
        """Give the empty table."""
        return KingdominoState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,  # noqa: ARG002 - there is one observation
        params: dict[str, Any] | None = None,
    ) -> "KingdominoObserver":
        """Give what writes observations. Raises `KingdominoError` for parameters: there are none."""
        if params:
            raise kd.KingdominoError(f"an observer has no parameters: {', '.join(params)}")
        return KingdominoObserver(self.rules)


class KingdominoState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A position on the way, with the chances of what comes up next.

    Behind it is a `kingdomino.Game` whose hidden part is filled with anything, and dealt again as soon as
    chance has said what it is.
    """

    def __init__(self, game: KingdominoGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self._deck: list[int] = []
        self._kings: list[int] = []
        self._played: list[kd.Action] = []
        self._game: kd.Game | None = None
        self.position: kd.Position | None = None
        """What the table showed when last it was somebody's decision or the end; None before that."""

    def current_player(self) -> int:
        """Give the seat to move, or OpenSpiel's number of chance or of the end."""
        if self._game is None or self._line_is_open() or self._king_is_open():
            return int(pyspiel.PlayerId.CHANCE)
        seat = self._game.position.to_move
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Give what may come up now, each with its chance."""
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
        """Give the rank of each seat from 1 to -1; 0 for all before the end."""
        if self._game is None:
            return [0.0] * self.rules.players
        return list(_core.rewards(self._game.position, "rank"))

    def __str__(self) -> str:
        dealt = f"deck {self._deck} kings {self._kings}"
        return dealt if self._game is None else f"{self._game.position.to_text()} {dealt}"

    def _lines_shown(self) -> int:
        """Count the lines that are or should be on the table."""
        if self._game is None:
            return 1
        position = self._game.position
        return min(position.round + 1, self.rules.rounds)

    def _line_is_open(self) -> bool:
        return len(self._deck) < self._lines_shown() * self.rules.line_length

    def _king_is_open(self) -> bool:
        if self._game is not None and self._game.position.round:
            return False
        if self.rules.opening == "snake":
            return not self._kings
        return len(self._kings) <= len(self._played)

    def _dealt(self) -> kd.Game:
        """Deal what chance has said, and anything for the rest, and play what has been played."""
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
    """Writes the compact form (docs/formats/observation.md) as numbers, and positions as their text."""

    def __init__(self, rules: kd.Rules) -> None:
        self._form = observation.compact_dtype(rules)
        self.tensor: NDArray[np.float32] = np.zeros(self._form.itemsize, np.float32)
        self.dict = {"compact": self.tensor}

    def set_from(self, state: KingdominoState, player: int) -> None:
        """Write what this seat sees; zeros before the first line is there."""
        self.tensor[:] = 0
        if state.position is not None:
            self.tensor[:] = observation.observe(state.position, player, "compact")["compact"]

    def string_from(self, state: KingdominoState, player: int) -> str:  # noqa: ARG002 - all see the same
        """Give the position as text; everything at the table is public."""
        return "" if state.position is None else state.position.to_text()


pyspiel.register_game(_TYPE, KingdominoGame)
