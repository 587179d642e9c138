"""OpenSpiel's own Monte Carlo tree search plays Kingdomino against chance.

pip install kingdomino[openspiel]
python examples/openspiel_search.py --games 10 --simulations 50
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from kingdomino.envs.openspiel import KingdominoGame


def play(game: KingdominoGame, simulations: int, searcher: int, chance: np.random.RandomState) -> float:
    """Play one game with the search in this seat, and give what it earned: 1, 0 or -1."""
    evaluator = RandomRolloutEvaluator(1, chance)
    bots = [
        MCTSBot(game, 1.4, simulations, evaluator, random_state=chance)
        if seat == searcher
        else UniformRandomBot(seat, chance)
        for seat in range(game.num_players())
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choice(outcomes, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return float(state.returns()[searcher])


def main() -> None:
    """Read the command line, play, and say how the search did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=10, help="(default: %(default)s)")
    parser.add_argument("--simulations", type=int, default=50, help="a decision (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    asked = parser.parse_args()
    game = pyspiel.load_game("python_kingdomino")
    chance = np.random.RandomState(asked.seed)  # OpenSpiel's bots take this kind
    earned = [play(game, asked.simulations, number % 2, chance) for number in range(asked.games)]
    print(f"{earned.count(1.0)} of {asked.games} games won against chance, {earned.count(0.0)} shared")


if __name__ == "__main__":
    main()
