"""Measures how often the kingdom in a photograph is found: the figures under "Corners" in docs/evidence/photo.md.

    python -m benches.photo_find PHOTOS

PHOTOS is the folder that `tools.learn_photo` reads. Each straightened photograph is laid on a drawn table, as a camera
that is not quite above it would see it; empty squares show the table.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageFilter

import kingdomino as kd
from tools.learn_photo import CLASSES, read

SEED: Final = 1
SIZES: Final = ((900, 1200), (1200, 900), (1000, 1000))
TURN: Final = 10.0  # degrees at most
TILT: Final = 0.05  # of the side, for each corner, at most


def table(random: Generator, width: int, height: int) -> Image.Image:
    """Draw a table: boards, a cloth, plain white, or a pattern, in uneven light."""
    down, across = np.mgrid[0:height, 0:width]
    kind = random.integers(4)
    colour = random.uniform(60, 200, 3)
    if kind == 0:
        grain = 12 * np.sin(down / random.uniform(8, 40) + 2 * np.sin(across / random.uniform(60, 200)))
        picture = np.array([150, 110, 75]) * random.uniform(0.6, 1.3) + grain[..., None]
    elif kind == 1:
        picture = colour + random.normal(0, 10, (height, width, 1))
    elif kind == 2:
        picture = np.full((height, width, 3), random.uniform(190, 240))
    else:
        side = int(random.uniform(20, 80))
        is_other = ((down // side + across // side) % 2)[..., None]
        picture = colour + is_other * random.uniform(-40, 40, 3)
    right, low = random.uniform(-0.25, 0.25, 2)
    light = 1 + right * (across / width - 0.5) + low * (down / height - 0.5)
    lit = picture * light[..., None] + random.normal(0, 4, (height, width, 3))
    return Image.fromarray(lit.clip(0, 255).astype(np.uint8))


def laid(photograph: Image.Image, random: Generator) -> tuple[Image.Image, NDArray[np.float64]]:
    """Lay a photograph on a table. Return the picture and the corners."""
    width, height = SIZES[random.integers(len(SIZES))]
    picture = table(random, width, height)
    side = random.uniform(0.5, 0.88) * min(width, height)
    angle = np.radians(random.uniform(-TURN, TURN))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    room = np.maximum(np.array([width, height]) / 2 - side * (np.abs(turn).sum(axis=0) / 2) - 5, 0)
    centre = np.array([width, height]) / 2 + 0.8 * random.uniform(-room, room)
    corners = side / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn + centre
    corners += random.uniform(-TILT, TILT, (4, 2)) * side
    corners = corners.clip(2, (width - 3, height - 3))
    wide, tall = photograph.size
    equations, values = [], []
    for (x, y), (u, v) in zip(corners, [(0, 0), (wide, 0), (wide, tall), (0, tall)], strict=True):
        equations += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    map_back = np.linalg.solve(np.array(equations), np.array(values, float)).tolist()
    seen = photograph.transform(picture.size, Image.Transform.PERSPECTIVE, map_back, Image.Resampling.BICUBIC)
    mask = seen.getchannel("A")
    picture.paste(
        (20, 15, 10), (4, 5), mask.filter(ImageFilter.GaussianBlur(8)).point(lambda value: value // 3)
    )
    picture.paste(seen, mask=mask)
    return picture.filter(ImageFilter.GaussianBlur(random.uniform(0, 1))), corners


def without_empty(photograph: Image.Image, squares: NDArray[np.int32]) -> Image.Image:
    """Make the empty squares transparent."""
    picture = photograph.convert("RGBA")
    side = picture.width / 5
    for row, column in np.argwhere(squares == CLASSES.index(("empty", 0))).tolist():
        left, top, right, bottom = (round(at * side) for at in (column, row, column + 1, row + 1))
        picture.paste((0, 0, 0, 0), (left, top, right, bottom))
    return picture


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path, metavar="PHOTOS", help="a folder with pictures and labels.csv")
    folder = parser.parse_args().photos
    numbers, _, labels = read(folder)
    random = np.random.default_rng(SEED)
    away, times = [], []
    for number, squares in zip(numbers, labels, strict=True):
        scene, corners = laid(without_empty(Image.open(folder / f"{number}.jpg"), squares), random)
        start = time.process_time()
        try:
            found = kd.photo.read(np.asarray(scene)).corners
        except kd.PictureError:
            continue
        finally:
            times.append(1000 * (time.process_time() - start))
        if tuple(found[2]) != scene.size:
            side = np.linalg.norm(corners[1] - corners[0]) / 5
            away.append(np.linalg.norm(np.array(found) - corners, axis=1).max() / side)
    empty = 0
    for _ in numbers:
        try:
            kd.photo.read(np.asarray(table(random, 900, 700)))
            empty += 1
        except kd.PictureError:
            pass
    print(f"found: {len(away)} of {len(numbers)}; kingdoms read from empty tables: {empty} of {len(numbers)}")
    print(
        f"the corner that is farthest away, in squares: {np.median(away):.2f} in the median, at most {max(away):.2f}"
    )
    print(f"ms: {np.median(times):.0f} in the median, at most {max(times):.0f}")


if __name__ == "__main__":
    main()
