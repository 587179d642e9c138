"""Pictures of our own art, drawn on a table in perspective with noise: photographs of another edition."""

import io

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

import kingdomino as kd

CORNERS = [(70.0, 60.0), (540.0, 40.0), (570.0, 500.0), (40.0, 520.0)]


def played(seed: int) -> kd.Kingdom:
    """Return a full kingdom of a game."""
    game = kd.Game(kd.Rules(players=2), seed=seed)
    bot = kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    return game.position.kingdoms[0]


def contents(kingdom: kd.Kingdom) -> list[kd.Square | None]:
    """Return the contents of the 25 squares of its reach, row by row from the top."""
    (left, low), (right, high) = kingdom.reach
    return [kingdom.squares.get((x, y)) for y in range(high, low - 1, -1) for x in range(left, right + 1)]


def photographed(kingdom: kd.Kingdom, seed: int, light: float = 1.0) -> NDArray[np.uint8]:
    """Draw it on a table, seen by a camera from one side."""
    random = np.random.default_rng(seed)
    drawn = resvg_py.svg_to_bytes(svg_string=kd.svg.kingdom(kingdom), width=572)
    art = Image.open(io.BytesIO(bytes(drawn))).convert("RGB").crop((36, 36, 536, 536))
    picture = Image.new("RGB", (620, 560), (112, 84, 62))
    corners = np.array(CORNERS)
    # The map from the picture to the art, whose corners are known.
    equations, values = [], []
    for (x, y), (u, v) in zip(corners, [(0, 0), (500, 0), (500, 500), (0, 500)], strict=True):
        equations += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    coefficients = np.linalg.solve(np.array(equations), np.array(values, float)).tolist()
    flat = art.transform(picture.size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", art.size, 255).transform(picture.size, Image.Transform.PERSPECTIVE, coefficients)
    picture.paste(flat, mask=mask)
    noisy = np.asarray(picture) * light + random.normal(0, 6, (560, 620, 3))
    return noisy.clip(0, 255).astype(np.uint8)


def as_file(picture: NDArray[np.uint8], form: str = "JPEG") -> bytes:
    """Return the bytes of a file."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, form)
    return file.getvalue()


def taught_by(kingdoms: int) -> kd.photo.Taught:
    """Return examples from this many kingdoms."""
    examples = kd.photo.Taught()
    for seed in range(kingdoms):
        kingdom = played(seed)
        examples = kd.photo.teach(
            photographed(kingdom, seed), contents(kingdom), corners=CORNERS, taught=examples
        )
    return examples
