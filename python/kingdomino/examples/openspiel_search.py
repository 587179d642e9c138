"""OpenSpiel's Monte Carlo tree search plays Kingdomino against a random opponent.

pip install 'kingdomino[openspiel]'
python examples/openspiel_search.py --games 10 --simulations 50
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from kingdomino.envs.openspiel import KingdominoGame


def play(game: KingdominoGame, simulations: int, searcher: int, random: np.random.RandomState) -> float:
    """Play one game with the search in this seat, and return its result: 1, 0 or -1."""
    evaluator = RandomRolloutEvaluator(1, random)
    bots = [
        MCTSBot(game, 1.4, simulations, evaluator, random_state=random)
        if seat == searcher
        else UniformRandomBot(seat, random)
        for seat in range(game.num_players())
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choice(outcomes, p=probabilities))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return float(state.returns()[searcher])


def main() -> None:
    """Play the games and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=10, help="(default: %(default)s)")
    parser.add_argument("--simulations", type=int, default=50, help="a decision (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    arguments = parser.parse_args()
    game = pyspiel.load_game("python_kingdomino")
    random = np.random.RandomState(arguments.seed)  # the type that OpenSpiel's bots take
    results = [play(game, arguments.simulations, number % 2, random) for number in range(arguments.games)]
    print(
        f"{results.count(1.0)} of {arguments.games} games won against a random opponent, {results.count(0.0)} drawn"
    )


if __name__ == "__main__":
    main()
