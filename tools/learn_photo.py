"""Trains the network of `crates/photo`, which says what lies on a square of a photographed kingdom.

    python -m tools.learn_photo PHOTOS --out crates/photo/src/network/squares.i8

PHOTOS is a folder of straightened pictures of 5x5 kingdoms, `1.jpg` and so on, and `labels.csv` (board, row from the
top, column from the left, terrain or `castle` or `empty`, crowns). Needs JAX and optax (the extra `jax`) and Pillow.
`--without 3/5` leaves out the third of five parts of the kingdoms, for cross-validation: two pictures of one
kingdom are always in the same part. The same pictures and seed give the same network on the same machine.

The network has three convolutions, the sums of the inner and the outer squares of the last one, and two dense layers.
Weights become whole numbers of 8 bits, activations too.
"""

from __future__ import annotations

import argparse
import csv
import functools
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from PIL import Image
from rich.progress import track

CLASSES: Final = [
    ("wheat", 0), ("wheat", 1), ("forest", 0), ("forest", 1), ("lake", 0), ("lake", 1),
    ("grassland", 0), ("grassland", 1), ("grassland", 2), ("swamp", 0), ("swamp", 1), ("swamp", 2),
    ("mine", 0), ("mine", 1), ("mine", 2), ("mine", 3), ("castle", 0), ("empty", 0),
]  # fmt: skip
"""The possible contents of a square, in the order of the outputs."""
CASTLE, EMPTY = 16, 17
SIDE: Final = 32
"""Pixels of a square's side, as the network sees it."""
MARGIN: Final = 1.1
"""How much of the picture it sees, in squares."""
PICTURE: Final = 160
"""Pixels of a picture's side from which squares are cut."""
MEAN: Final = 100.0
"""The brightness that each picture is brought to."""
PARTS: Final = 5
BATCH: Final = 160
"""Squares in a step."""
USES: Final = 6
FIRST: Final = 16
POOL: Final = 80
LAYERS: Final = {
    "first": (75, 16),
    "second": (144, 32),
    "third": (288, 64),
    "hidden": (128, 32),
    "out": (32, 18),
}
"""Inputs and outputs of each layer."""

Weights = dict[str, tuple[jax.Array, jax.Array]]


def read(folder: Path) -> tuple[list[int], NDArray[np.float32], NDArray[np.int32]]:
    """Read the pictures: their numbers, pixels, and the class of each square."""
    labels: dict[int, NDArray[np.int32]] = {}
    with (folder / "labels.csv").open() as file:
        for line in csv.DictReader(file):
            board = labels.setdefault(int(line["board"]), np.full((5, 5), -1, np.int32))
            what = CLASSES.index((line["terrain"], int(line["crowns"])))
            board[int(line["row"]), int(line["column"])] = what
    numbers = sorted(labels)
    pictures = []
    for number in numbers:
        picture = Image.open(folder / f"{number}.jpg").convert("RGB")
        pictures.append(np.asarray(picture.resize((PICTURE, PICTURE), Image.Resampling.BOX), np.float32))
    return numbers, np.stack(pictures), np.stack([labels[number] for number in numbers])


def kingdoms(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Number the kingdoms: pictures that differ in at most three squares, turned or not, show the same one."""
    turned = [np.rot90(labels, turn, axes=(1, 2)) for turn in range(4)]
    same = np.max([(labels[:, None] == other[None]).sum(axis=(2, 3)) for other in turned], axis=0) >= 22
    return np.asarray(np.argmax(same, axis=1), np.int32)


def part_of(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the part of each picture, by its kingdom."""
    numbers = kingdoms(labels)
    order = np.random.default_rng(7).permutation(np.unique(numbers))
    place = {int(number): index % PARTS for index, number in enumerate(order)}
    return np.array([place[int(number)] for number in numbers], np.int32)


def new_weights(key: jax.Array) -> Weights:
    """Draw the first weights."""
    keys = jax.random.split(key, len(LAYERS))
    return {
        # Pixels vary less than activations.
        name: (
            jax.random.normal(key, size) * np.sqrt((8 if name == "first" else 2) / size[0]),
            jnp.zeros(size[1]),
        )
        for key, (name, size) in zip(keys, LAYERS.items(), strict=True)
    }


def convolved(values: jax.Array, matrix: jax.Array, side: int) -> jax.Array:
    """Multiply the surroundings of every second pixel, row by row, channels last, with the matrix."""
    kernel = matrix.reshape(side, side, -1, matrix.shape[-1])
    around = [(side // 2, side // 2)] * 2
    return jax.lax.conv_general_dilated(
        values, kernel, (2, 2), around, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def rounded(values: jax.Array, scale: jax.Array) -> jax.Array:
    """Round to multiples of the scale, with the gradient of the identity."""
    return values + jax.lax.stop_gradient(jnp.round(values / scale) * scale - values)


def whole(weights: jax.Array) -> jax.Array:
    """Round the weights as they are stored: 8 bits, one scale for each output."""
    scale = jnp.maximum(jnp.abs(weights).max(axis=0, keepdims=True), 1e-6) / 127
    return rounded(weights, jax.lax.stop_gradient(scale))


TOP: Final = 6.0
"""The largest activation; 255 stands for it."""


def activation(values: jax.Array) -> jax.Array:
    """Cut to the range of an activation, and round to its 8 bits."""
    return rounded(jnp.clip(values, 0, TOP), jnp.float32(TOP / 255))


def logits(weights: Weights, squares: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the outputs and the hidden layer for squares of pixels from -1 to 1."""
    values = squares
    for name, side in (("first", 5), ("second", 3), ("third", 3)):
        matrix, bias = weights[name]
        values = activation(convolved(values, whole(matrix), side) + bias)
    inner = values[:, 1:3, 1:3].sum(axis=(1, 2))
    pooled = jnp.concatenate([inner / 4, (values.sum(axis=(1, 2)) - inner) / 12], axis=-1)
    matrix, bias = weights["hidden"]
    hidden = activation(activation(pooled) @ whole(matrix) + bias)
    matrix, bias = weights["out"]
    return hidden @ whole(matrix) + bias, hidden


def sample(picture: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Read pixels between others, clamped to the picture."""
    x, y = jnp.clip(x, 0, PICTURE - 1.001), jnp.clip(y, 0, PICTURE - 1.001)
    left, top = jnp.floor(x).astype(int), jnp.floor(y).astype(int)
    dx, dy = (x - left)[..., None], (y - top)[..., None]
    flat = picture.reshape(-1, 3)
    at = top * PICTURE + left
    upper = flat[at] * (1 - dx) + flat[at + 1] * dx
    lower = flat[at + PICTURE] * (1 - dx) + flat[at + PICTURE + 1] * dx
    return upper * (1 - dy) + lower * dy


def blurred(picture: jax.Array, sigma: jax.Array) -> jax.Array:
    """Blur a picture."""
    taps = jnp.exp(-0.5 * (jnp.arange(-3, 4) / sigma) ** 2)
    taps = taps / taps.sum()
    for axis in (0, 1):
        wide = jnp.pad(picture, [(3, 3) if axis == i else (0, 0) for i in range(3)], mode="edge")
        views = [jax.lax.slice_in_dim(wide, k, k + PICTURE, axis=axis) for k in range(7)]
        picture = sum((tap * view for tap, view in zip(taps, views, strict=True)), jnp.zeros_like(picture))
    return picture


def cut(picture: jax.Array, key: jax.Array, strength: float) -> tuple[jax.Array, jax.Array]:
    """Cut out the 25 squares, moved, turned and distorted at random; return also which pixels lie beyond the border."""
    keys = jax.random.split(key, 8)
    along = ((jnp.arange(SIDE) + 0.5) / SIDE - 0.5) * MARGIN
    v, u = jnp.meshgrid(along, along, indexing="ij")
    u, v = jnp.broadcast_to(u, (25, SIDE, SIDE)), jnp.broadcast_to(v, (25, SIDE, SIDE))
    if strength:
        # A domino may lie in any direction.
        turn = jax.random.randint(keys[0], (25, 1, 1), 0, 4)
        u, v = (
            jnp.where(turn == 0, u, jnp.where(turn == 1, -v, jnp.where(turn == 2, -u, v))),
            jnp.where(turn == 0, v, jnp.where(turn == 1, u, jnp.where(turn == 2, -v, -u))),
        )
    moved = strength * 0.03 * jax.random.normal(keys[1], (2, 25, 1, 1))
    tilt = strength * 0.03 * jax.random.normal(keys[2], (25, 1, 1))
    u, v = u - tilt * v + moved[0], v + tilt * u + moved[1]
    row, column = jnp.arange(25).reshape(25, 1, 1) // 5, jnp.arange(25).reshape(25, 1, 1) % 5
    x, y = column - 2 + u, row - 2 + v
    angle = strength * jnp.clip(0.018 * jax.random.normal(keys[3]), -0.06, 0.06)
    stretch = 1 + strength * 0.015 * jax.random.normal(keys[4], (2,))
    shift = strength * 0.035 * jax.random.normal(keys[5], (2,))
    slope = strength * 0.006 * jax.random.normal(keys[6], (2,))
    depth = 1 + slope[0] * x + slope[1] * y
    x, y = (
        (x * stretch[0] - angle * y) / depth + shift[0] + 2.5,
        (y * stretch[1] + angle * x) / depth + shift[1] + 2.5,
    )
    beyond = (x < 0) | (y < 0) | (x > 5) | (y > 5)
    pixels = PICTURE / 5
    return sample(picture, x * pixels - 0.5, y * pixels - 0.5), beyond[..., None]


def table(key: jax.Array, n: int) -> jax.Array:
    """Draw squares of tables: wood, cloth, stone, in any colour that no terrain has for itself."""
    keys = jax.random.split(key, 8)
    light = jax.random.uniform(keys[0], (n, 1, 1, 1), minval=15, maxval=245)
    any_colour = jnp.exp(
        jax.random.uniform(keys[1], (n, 1, 1, 1), maxval=0.3) * jax.random.normal(keys[2], (n, 1, 1, 3))
    )
    # Red to green, and green to blue.
    brown = jax.random.uniform(keys[2], (n, 1, 1, 2), minval=jnp.array([0.5, 0.15]), maxval=0.9)
    wood = jnp.concatenate([jnp.ones((n, 1, 1, 1)), brown[..., :1], brown[..., :1] * brown[..., 1:]], axis=-1)
    colour = light * jnp.where(jax.random.bernoulli(keys[1], shape=(n, 1, 1, 1)), wood * 1.3, any_colour)
    coarse = jax.image.resize(jax.random.normal(keys[3], (n, 5, 5, 1)), (n, SIDE, SIDE, 1), "linear")
    # The grain of wood: long in one direction.
    grain = jax.image.resize(jax.random.normal(keys[4], (n, 2, 20, 1)), (n, SIDE, SIDE, 1), "linear")
    grain = jnp.where(jax.random.bernoulli(keys[5], shape=(n, 1, 1, 1)), grain, grain.transpose(0, 2, 1, 3))
    depth = jax.random.uniform(keys[6], (n, 2, 1, 1, 1), maxval=0.15)
    fine = jax.random.normal(keys[7], (n, SIDE, SIDE, 1)) * 0.04
    return jnp.clip(colour * (1 + depth[:, 0] * coarse + depth[:, 1] * grain + fine), 0, 255)


def seen(
    picture: jax.Array, labels: jax.Array, towers: jax.Array, key: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return the 25 squares of a picture as another camera might have seen them, and their contents."""
    keys = jax.random.split(key, 24)
    sigma = jnp.maximum(jax.random.uniform(keys[0], minval=-0.6, maxval=1.3), 0.05)
    squares, beyond = cut(blurred(picture, sigma), keys[1], 1.0)
    fill = jax.random.uniform(keys[2], (3,), maxval=200) * jax.random.bernoulli(keys[3], 0.7)
    squares = jnp.where(beyond & jax.random.bernoulli(keys[4], 0.6), fill, squares)

    # A castle stands in front of a part of some squares.
    tower = towers[jax.random.randint(keys[5], (25,), 0, len(towers))]
    along = jnp.arange(SIDE)
    depth = jax.random.uniform(keys[6], (25, 1, 1), minval=0, maxval=0.4) * SIDE
    height, width = along[None, :, None], along[None, None, :]
    side = jax.random.randint(keys[7], (25, 1, 1), 0, 4)
    hidden = jnp.where(
        side == 0,
        height >= SIDE - depth,
        jnp.where(side == 1, width >= SIDE - depth, jnp.where(side == 2, height < depth, width < depth)),
    )
    hidden &= jax.random.bernoulli(keys[8], 0.1, (25, 1, 1)) & (labels.reshape(25, 1, 1) < CASTLE)
    squares = jnp.where(
        hidden[..., None], jnp.roll(tower, jax.random.randint(keys[9], (), 0, SIDE), axis=2), squares
    )
    # Its shadow falls on others.
    edge = jax.random.uniform(keys[10], (25, 1, 1), minval=-1, maxval=1) * SIDE
    lean = jax.random.normal(keys[11], (25, 1, 1))
    shade = jax.nn.sigmoid((height - edge + lean * (width - SIDE / 2)) / 2)
    shade = 1 - shade * jax.random.uniform(keys[12], (25, 1, 1), maxval=0.5) * jax.random.bernoulli(
        keys[13], 0.15, (25, 1, 1)
    )
    squares = squares * shade[..., None]

    drawn = jax.random.bernoulli(keys[14], 0.06, (25,)) & (labels < CASTLE)
    squares = jnp.where(drawn[:, None, None, None], table(keys[15], 25), squares)
    labels = jnp.where(drawn, EMPTY, labels)

    # Light: its colour, its fall across the picture, contrast, and how the camera answers to it.
    squares = squares / 255
    grey = squares.mean(axis=-1, keepdims=True)
    squares = grey + (squares - grey) * jnp.exp(0.15 * jax.random.normal(keys[16]))
    squares = jnp.clip(squares, 1e-3, 1) ** jnp.exp(0.18 * jax.random.normal(keys[17]))
    fall = 0.08 * jax.random.normal(keys[18], (2,))
    row, column = jnp.arange(25) // 5 - 2, jnp.arange(25) % 5 - 2
    squares = squares * jnp.exp(fall[0] * row + fall[1] * column)[:, None, None, None]
    squares = squares * jnp.exp(0.1 * jax.random.normal(keys[19], (3,)))
    squares = squares * jnp.exp(0.07 * jax.random.normal(keys[20], (25, 1, 1, 1)))
    squares = jnp.clip(squares + 0.02 * jax.random.normal(keys[21]), 0, 1) * 255
    # Colours too bright for the camera become white.
    squares = jnp.minimum(squares * jnp.exp(0.25 * jax.random.normal(keys[22])), 255)
    squares = normalised(squares)
    noise = jax.random.exponential(keys[23]) * 4
    squares = squares + noise * jax.random.normal(keys[23], squares.shape)
    return pixels(squares), labels


def normalised(squares: jax.Array) -> jax.Array:
    """Bring the picture to its mean brightness."""
    return squares * (MEAN / jnp.maximum(squares.mean(), 1))


def pixels(squares: jax.Array) -> jax.Array:
    """Round pixels as the reader does: -128 to 127, here as -1 to 1."""
    return (jnp.clip(jnp.round(squares), 0, 255) - 128) / 128


def train(
    pictures: NDArray[np.float32], labels: NDArray[np.int32], steps: int, seed: int, batch: int = 8
) -> Weights:
    """Train the network on squares with new random changes at each step."""
    plain = jax.vmap(lambda picture: cut(picture, jax.random.key(0), 0.0)[0])(pictures)
    towers = plain.reshape(-1, SIDE, SIDE, 3)[labels.reshape(-1) == CASTLE]
    counts = np.bincount(labels.ravel(), minlength=len(CLASSES))
    # Rare squares are chosen more often, but not as often as if all were equally common; castles and the table, which
    # vary most, twice as often.
    importance = np.maximum(counts, 1) ** -0.5 * np.where(np.arange(len(CLASSES)) >= CASTLE, 2.0, 1.0)
    optimiser = optax.chain(
        optax.clip_by_global_norm(3.0),
        optax.adamw(
            optax.warmup_cosine_decay_schedule(1e-4, 4e-3, steps // 20, steps, 2e-5), weight_decay=2e-3
        ),
    )
    weights = new_weights(jax.random.key(seed))
    state = optimiser.init(weights)
    all_pictures, all_labels = jnp.asarray(pictures), jnp.asarray(labels.reshape(-1, 25))

    def loss(weights: Weights, squares: jax.Array, wanted: jax.Array) -> jax.Array:
        outputs, _ = logits(weights, squares)
        targets = optax.smooth_labels(jax.nn.one_hot(wanted, len(CLASSES)), 0.02)
        losses: jax.Array = optax.softmax_cross_entropy(outputs, targets)
        return losses.mean()

    # Arguments, not constants: these would be compiled for minutes.
    @jax.jit
    def more(
        pictures: jax.Array, labels: jax.Array, towers: jax.Array, key: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Return the squares of some pictures with new random changes."""
        draw = functools.partial(seen, towers=towers)
        return jax.vmap(draw)(pictures, labels, key=jax.random.split(key, batch))

    @jax.jit
    def step(
        weights: Weights, state: optax.OptState, squares: jax.Array, wanted: jax.Array, key: jax.Array
    ) -> tuple[Weights, optax.OptState, jax.Array]:
        turn, bright, dim = jax.random.split(key, 3)
        turn = jax.random.randint(turn, (), 0, 4)
        squares = jax.lax.switch(
            turn, [functools.partial(jnp.rot90, k=k, axes=(1, 2)) for k in range(4)], squares
        )
        gain = jnp.exp(0.08 * jax.random.normal(bright, (len(squares), 1, 1, 3)))
        squares = jnp.clip(
            (squares + 1) * gain - 1 + 0.03 * jax.random.normal(dim, (len(squares), 1, 1, 1)), -1, 1
        )
        value, gradient = jax.value_and_grad(loss)(weights, squares, wanted)
        updates, state = optimiser.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, value

    random = np.random.default_rng(seed)
    # The last squares that were drawn. Each is used some six times, in other directions and colours.
    pool = np.zeros((POOL, 25 * batch, SIDE, SIDE, 3), np.float32)
    classes = np.zeros((POOL, 25 * batch), np.int32)
    drawn = 0
    for number in track(range(steps), "training"):
        while drawn < FIRST or drawn * 25 * batch * USES < number * BATCH:
            chosen = random.choice(len(pictures), batch, replace=False)
            key = jax.random.key(seed * 1_000_003 + drawn)
            squares, wanted = more(all_pictures[chosen], all_labels[chosen], towers, key)
            pool[drawn % POOL] = squares.reshape(-1, SIDE, SIDE, 3)
            classes[drawn % POOL] = wanted.reshape(-1)
            drawn += 1
        shares = np.cumsum(importance[classes[: min(drawn, POOL)]])
        group, place = divmod(np.searchsorted(shares, random.random(BATCH) * shares[-1]), 25 * batch)
        key = jax.random.key(seed * 1_000_033 + number)
        weights, state, value = step(weights, state, pool[group, place], classes[group, place], key)
        if number % 100 == 99:
            print(f"step {number + 1}: loss {float(value):.3f}", flush=True)
    return weights


def stored(weights: Weights) -> bytes:
    """Return the network as whole numbers: for each layer its weights, output by output, its biases and its scales."""
    scale_in = 1 / 128
    parts: list[NDArray[Any]] = []
    for name in LAYERS:
        matrix, bias = (np.asarray(part, np.float64) for part in weights[name])
        scale = np.maximum(np.abs(matrix).max(axis=0), 1e-6) / 127
        # The network's outputs are in 1/1024 of a nat, all other layers have 255 for the largest activation.
        scale_out = 1 / 1024 if name == "out" else TOP / 255
        parts.append(np.round(matrix / scale).T.astype("i1"))
        parts.append(np.round(bias / (scale * scale_in)).astype("<i4"))
        parts.append(np.round(scale * scale_in / scale_out * 2**24).astype("<i4"))
        scale_in = scale_out
    return b"".join(part.tobytes() for part in parts)


def main() -> None:
    """Read the pictures, learn, write the network; with a part left out, say which of its squares are wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path, help="the folder of the pictures and labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="the file of the network")
    parser.add_argument("--without", help="a part of the kingdoms to leave out, like 3/5")
    parser.add_argument("--steps", type=int, default=1600, help="steps of learning (1600)")
    parser.add_argument("--seed", type=int, default=1, help="of the first weights and the drawings (1)")
    options = parser.parse_args()
    numbers, pictures, labels = read(options.photos)
    is_test = np.zeros(len(numbers), bool)
    if options.without:
        is_test = part_of(labels) == int(options.without.partition("/")[0]) - 1
    weights = train(pictures[~is_test], labels[~is_test], options.steps, options.seed)
    options.out.write_bytes(stored(weights))
    for index in np.flatnonzero(is_test):
        squares = normalised(cut(jnp.asarray(pictures[index]), jax.random.key(0), 0.0)[0])
        outputs, _ = logits(weights, pixels(squares))
        wanted = labels[index].ravel()
        for place, found in enumerate(np.asarray(outputs).argmax(axis=1)):
            if found != wanted[place]:
                row, column = divmod(place, 5)
                print(
                    f"{numbers[index]}.jpg, row {row}, column {column}: {CLASSES[wanted[place]]}, read {CLASSES[found]}"
                )


if __name__ == "__main__":
    main()
