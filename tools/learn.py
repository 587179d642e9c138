"""Trains the network of `crates/search/src/value` to predict the final score of a kingdom.

    cargo run --release -p kingdomino-search --example lessons -- 2.second.random 20000 1 64 two.rows
    python tools/learn.py 2 two.rows --out crates/search/src/value/two.i8

Needs JAX (the extra `jax`). Prints bias and error of the predictions on rows held out for the test. The same rows
and seed give the same network on the same machine.

With the weights it writes, for each number of lines to come, the lead in points that makes a victory e times as likely
as an opponent's. It is fitted to the winners of the same rows, since scores of one game are correlated, and predicted
leads are too large or too small: temperature scaling (Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural
networks", 2017).
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from rich.progress import track
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

FEATURES = 137
HIDDEN = (64, 32)
LINES = 11
"""The largest number of lines to come."""
SCALE = 64
"""Points per unit of the network's output."""

Layers = list[tuple[jax.Array, jax.Array]]
"""Weights, input by output, and biases."""


def load(files: list[Path]) -> NDArray[np.float32]:
    """Read rows: the features, the final score, and the lines to come."""
    return np.concatenate([np.fromfile(file, dtype="<f4").reshape(-1, FEATURES + 2) for file in files])


def new_layers(key: jax.Array) -> Layers:
    """Draw small random weights; the last layer's are near 0, so that its bias is the first prediction."""
    sizes = (FEATURES, *HIDDEN, 1)
    keys = jax.random.split(key, len(sizes) - 1)
    pairs = zip(keys, sizes[:-1], sizes[1:], strict=True)
    return [
        (jax.random.normal(key, (n, m)) * np.sqrt((2 if m > 1 else 0.02) / n), jnp.zeros(m))
        for key, n, m in pairs
    ]


def read_layers(content: bytes) -> Layers:
    """Read the layers of a network from the content of its file."""
    count = sum(n * m for n, m in pairwise((FEATURES, *HIDDEN)))
    weights = np.frombuffer(content, "i1", count)
    numbers = np.frombuffer(content, "<f4", offset=count)
    layers = []
    for n, m in pairwise((FEATURES, *HIDDEN)):
        whole, weights = weights[: n * m].reshape(n, m), weights[n * m :]
        units, bias, numbers = numbers[:m], numbers[m : 2 * m], numbers[2 * m :]
        layers.append((jnp.asarray(whole * units), jnp.asarray(bias)))
    last, bias = numbers[: HIDDEN[-1]], numbers[HIDDEN[-1] : HIDDEN[-1] + 1]
    return [*layers, (jnp.asarray(last[:, None]), jnp.asarray(bias))]


def whole_weights(weights: jax.Array) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Round the weights of each output to whole numbers of 8 bits; return them, and the unit of each output."""
    largest = np.abs(np.asarray(weights)).max(axis=0)
    units = np.where(largest, largest / 127, 1).astype("<f4")
    return np.round(np.asarray(weights) / units).astype("i1"), units


def written_layers(layers: Layers) -> bytes:
    """Write the layers as a network's file has them: the weights of 8 bits, then the other numbers."""
    hidden = [(*whole_weights(weights), np.asarray(bias)) for weights, bias in layers[:-1]]
    numbers = [number for _, units, bias in hidden for number in (units, bias)]
    numbers += [np.asarray(part).ravel() for part in layers[-1]]
    return b"".join(
        [
            *(whole.tobytes() for whole, _, _ in hidden),
            *(part.astype("<f4").tobytes() for part in numbers),
        ]
    )


def scores(layers: Layers, features: jax.Array) -> jax.Array:
    """Predict final scores in units of SCALE, one per row."""
    values = features
    for weights, bias in layers[:-1]:
        values = jax.nn.relu(values @ weights + bias)
    weights, bias = layers[-1]
    return (values @ weights + bias)[:, 0]


def train(
    rows: NDArray[np.float32], epochs: int, seed: int, start: Layers | None = None, batch: int = 512
) -> Layers:
    """Fit by least squares with a learning rate that falls to 0, from `start` or from small random weights."""
    features, targets = rows[:, :FEATURES], rows[:, FEATURES] / SCALE
    if start is None:
        layers = new_layers(jax.random.key(seed))
        # The first prediction is the mean.
        layers[-1] = (layers[-1][0], jnp.full(1, targets.mean()))
    else:
        layers = start
    batch = min(batch, len(rows))
    steps = epochs * (len(rows) // batch)
    optimiser = optax.adamw(optax.cosine_decay_schedule(2e-3, steps), weight_decay=1e-5)
    state = optimiser.init(layers)

    @jax.jit
    def step(
        layers: Layers, state: optax.OptState, x: jax.Array, y: jax.Array
    ) -> tuple[Layers, optax.OptState]:
        gradient = jax.grad(lambda layers: jnp.mean((scores(layers, x) - y) ** 2))(layers)
        updates, state = optimiser.update(gradient, state, layers)
        return optax.apply_updates(layers, updates), state

    random = np.random.default_rng(seed)
    for _ in track(range(epochs), "training"):
        order = random.permutation(len(rows))
        for first in range(0, len(rows) - batch + 1, batch):
            chosen = order[first : first + batch]
            layers, state = step(layers, state, features[chosen], targets[chosen])
    return layers


def expected_scores(layers: Layers, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Predict final scores in points, one per row."""
    return SCALE * np.asarray(scores(layers, jnp.asarray(rows[:, :FEATURES])))


def show(when: str, layers: Layers, rows: NDArray[np.float32]) -> None:
    """Print bias and errors."""
    errors = expected_scores(layers, rows) - rows[:, FEATURES]
    by_lines = [errors[rows[:, FEATURES + 1] == lines] for lines in range(1, LINES + 1)]
    deviations = " ".join(f"{np.sqrt(np.mean(part**2)):.2f}" for part in by_lines if len(part))
    print(f"{when}: bias {errors.mean():+.2f} points; error with 1, 2, … lines to come: {deviations}")


def temperatures(layers: Layers, rows: NDArray[np.float32], players: int) -> NDArray[np.float32]:
    """Fit the leads, in points, that make a victory e times as likely, for 1 and more lines to come."""
    expected = expected_scores(layers, rows).reshape(-1, players)
    totals = rows[:, FEATURES].reshape(-1, players)
    won = totals == totals.max(axis=1, keepdims=True)
    victories = won / won.sum(axis=1, keepdims=True)
    lines = rows[::players, FEATURES + 1]

    def best(chosen: NDArray[np.bool_]) -> float:
        def loss(temperature: float) -> float:
            return -float(np.sum(victories[chosen] * log_softmax(expected[chosen] / temperature, axis=1)))

        return float(minimize_scalar(loss, bounds=(0.5, 50), method="bounded").x)

    found = [best(lines == count) for count in range(1, int(lines.max()) + 1)]
    print("points that make a victory e times as likely:", " ".join(f"{value:.2f}" for value in found))
    # Games have fewer lines than LINES; the entries beyond are never used.
    return np.array(found + found[-1:] * (LINES - len(found)), dtype="<f4")


def main() -> None:
    """Read the rows, train, test, write the network."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", type=int, choices=(2, 3, 4), help="kingdoms at each reveal of the rows")
    parser.add_argument("rows", nargs="+", type=Path, help="files that the example `lessons` wrote")
    parser.add_argument("--out", required=True, type=Path, help="the file of the network")
    parser.add_argument("--start", type=Path, help="the file of a network to continue from")
    parser.add_argument(
        "--epochs", type=int, default=40, help="passes over all rows (40; 0 with --start fits only the leads)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first weights and the order of rows (1)")
    options = parser.parse_args()
    if not (options.epochs or options.start):
        parser.error("--epochs 0 needs --start")

    rows = load(options.rows)
    # Rows of one game are adjacent, so the test takes whole stretches, here of whole reveals.
    stretch = np.arange(len(rows)) // (600 * options.players)
    is_test = stretch % 20 == 0 if options.epochs else np.ones(len(rows), bool)
    print(f"{np.sum(~is_test):,} rows to train on, {np.sum(is_test):,} to test on")
    start = read_layers(options.start.read_bytes()) if options.start else None
    if start:
        show("before", start, rows[is_test])
        layers = start
    if options.epochs:
        layers = train(rows[~is_test], options.epochs, options.seed, start)
        show("after", layers, rows[is_test])
    content = written_layers(layers)
    layers = read_layers(content)
    show("rounded", layers, rows[is_test])
    options.out.write_bytes(content + temperatures(layers, rows[is_test], options.players).tobytes())


if __name__ == "__main__":
    main()
