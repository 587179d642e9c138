"""A sequential test, which stops as soon as the games decide between two hypotheses about a bot's win rate.

The generalised sequential probability ratio test over blocks. Wald's test (*Sequential Tests of Statistical
Hypotheses*, 1945) compares the likelihoods of two hypotheses after every observation and stops at
fixed bounds; the generalised one takes, under each hypothesis, the likeliest of all distributions with that
mean. For values x seen w times it puts a weight of w / (1 + theta (x - mean)) on each, where theta solves

    sum w (x - mean) / (1 + theta (x - mean)) = 0

(Owen's empirical likelihood, Biometrika 75, 1988; Van den Bergh, *The generalized maximum likelihood ratio
for the expectation value of a distribution*, https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf,
which is what fishtest computes for pairs of games). The logarithm of the likelihood ratio is

    llr = sum w log((1 + theta_lower (x - lower)) / (1 + theta_upper (x - upper))).

As in fishtest there is a prior of a thousandth of an observation, here at both ends, 0 and 1, so that every mean is
possible from the first block on. No block then adds more to the ratio than the hypotheses allow, even if all blocks
are equal and an estimated variance would be 0. Margins are not tested: their range is so wide that the likeliest
distribution has rare huge margins, and the test takes far too long.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize.elementwise import find_root

from kingdomino.errors import ResultsError

_PRIOR = 1e-3


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a sequential test.

    ``decision`` is ``"accept"`` (the win rate is at least ``upper``: the ratio has reached ``upper_bound``),
    ``"reject"`` (it is at most ``lower``: the ratio has reached ``lower_bound``) or ``"continue"``. ``llr`` is the
    logarithm of the likelihood ratio after ``blocks`` blocks: those until the decision, or all.
    """

    decision: Literal["accept", "reject", "continue"]
    llr: float
    lower_bound: float
    upper_bound: float
    blocks: int


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of "the win rate is at most ``lower``" against "it is at least ``upper``".

    A bot with a win rate of ``lower`` is accepted with a probability of about ``alpha``, one of ``upper`` rejected
    with about ``beta``; wrong answers are rarer outside them. `ratings.win_rate` turns a difference in rating into a
    win rate. Raises `ResultsError` unless 0 < lower < upper < 1 and both errors lie between 0 and 1/2.
    """

    lower: float
    upper: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.lower < self.upper < 1:
            raise ResultsError(
                f"a sequential test needs 0 < lower < upper < 1, not {self.lower:g} and {self.upper:g}"
            )
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ResultsError(f"{name} is a probability between 0 and 0.5, not {error:g}")

    def of(self, values: Iterable[float]) -> SprtState:
        """Judge a bot by its mean share of the victory in each block, in the order of the schedule.

        They are ``block_means(blocks, bot, share).values()``. The first block that reaches a bound decides; later ones
        change nothing. Raises `ResultsError` for a share outside 0 to 1.
        """
        observed = np.fromiter(values, dtype=np.float64)
        outside = observed[~((observed >= 0) & (observed <= 1))]
        if outside.size:
            raise ResultsError(f"a share of the victory lies between 0 and 1; one block has {outside[0]:g}")
        bounds = log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
        if not observed.size:
            return SprtState("continue", 0.0, *bounds, blocks=0)
        ratios = self._ratios(observed)
        reached = np.flatnonzero((ratios <= bounds[0]) | (ratios >= bounds[1]))
        last = int(reached[0]) if reached.size else observed.size - 1
        llr = float(ratios[last])
        decision: Literal["accept", "reject", "continue"] = (
            "continue" if not reached.size else "accept" if llr > 0 else "reject"
        )
        return SprtState(decision, llr, *bounds, blocks=last + 1)

    def _ratios(self, observed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the logarithm of the likelihood ratio after each block."""
        points, index = np.unique([0.0, 1.0, *observed], return_inverse=True)
        seen = np.zeros((observed.size, points.size))
        seen[np.arange(observed.size), index[2:]] = 1
        weights = seen.cumsum(axis=0)
        weights[:, [0, -1]] += _PRIOR
        offsets = points - np.array([[self.lower], [self.upper]])
        tilts = 1 + _thetas(offsets, weights)[:, :, None] * offsets[:, None, :]
        return np.asarray((weights * np.log(tilts[0] / tilts[1])).sum(axis=1))


def _thetas(offsets: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solve sum w offset / (1 + theta offset) = 0 for H rows of offsets and N of weights: H x N.

    Offsets ascend from below 0 to above it, and the weights of both ends are not 0.
    """
    least, most = offsets[:, [0]], offsets[:, [-1]]
    # At the ends of the bracket a weight would be infinite; just inside them it outweighs all others.
    inside = 1 - 1e-12

    def excess(
        theta: NDArray[np.float64], row: NDArray[np.int_], prefix: NDArray[np.int_]
    ) -> NDArray[np.float64]:
        terms = weights[prefix] * offsets[row] / (1 + theta[..., None] * offsets[row])
        # The factors remove the poles at the ends, which would slow down the search.
        poles = (1 + theta * offsets[row, 0]) * (1 + theta * offsets[row, -1])
        return np.asarray(terms.sum(axis=-1) * poles)

    rows, prefixes = np.indices((len(offsets), len(weights)))
    return np.asarray(find_root(excess, (-inside / most, -inside / least), args=(rows, prefixes)).x)
