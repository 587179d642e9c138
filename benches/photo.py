"""Measures the reader of photographs: docs/evidence/photo.md.

    python -m benches.photo PHOTOS --networks FOLDER

PHOTOS is the folder that `tools.learn_photo` reads. For each of five parts of the kingdoms, a network learns from the
other four; FOLDER keeps these networks for the next run. Each picture is read by the network that has not seen its
kingdom: as it is, shifted, rotated, darkened, blurred.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageFilter

import kingdomino as kd
from tools.learn_photo import CLASSES, PARTS, kingdoms, part_of, read

ROOT: Final = Path(__file__).resolve().parents[1]
Squares = list[tuple[str, int]]


def shifted(by: int) -> Callable[[Image.Image, int], Image.Image]:
    """Shift in both directions, to another corner with each picture. What lay beyond the border is black."""

    def change(picture: Image.Image, number: int) -> Image.Image:
        right, down = (by if number & 1 else -by), (by if number & 2 else -by)
        return picture.transform(picture.size, Image.Transform.AFFINE, (1, 0, -right, 0, 1, -down))

    return change


def rotated(by: float) -> Callable[[Image.Image, int], Image.Image]:
    """Rotate about the centre, every second picture to the left."""
    return lambda picture, number: picture.rotate(by if number & 1 else -by, Image.Resampling.BICUBIC)


CHANGES: Final[dict[str, Callable[[Image.Image, int], Image.Image]]] = {
    "as they are": lambda picture, _: picture,
    "shifted by 5 pixels right or left and up or down": shifted(5),
    "rotated by 2°": rotated(2),
    "darkened to a third": lambda picture, _: picture.point(lambda value: value / 3),
    "blurred by 2 pixels": lambda picture, _: picture.filter(ImageFilter.GaussianBlur(2)),
    "shifted by 10 pixels": shifted(10),
    "rotated by 5°": rotated(5),
}
TARGETS: Final = (54, 52, 52, 52, 52, 45, 45)


@dataclass
class Read:
    """The reader's result for one picture."""

    squares: Squares
    probabilities: list[float]
    margins: list[float]
    doubtful: list[bool]
    overruled: list[bool]
    milliseconds: float


def run(network: Path | None, files: list[Path]) -> list[Read]:
    """Read straightened pictures with a network."""
    command = [
        *("cargo", "run", "--quiet", "--release", "--package=kingdomino-photo", "--features=decode"),
        *("--example=read_photos", "--", str(network or "-"), *map(str, files)),
    ]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    reads = [Read([], [], [], [], [], 0.0) for _ in files]
    at = 0
    for line in lines:
        match line.split():
            case ["read", _, total]:
                reads[at].milliseconds = float(total)
                at += 1
            case [_, _, _, terrain, crowns, probability, doubtful, margin, overruled]:
                reads[at].squares.append((terrain, int(crowns)))
                reads[at].probabilities.append(float(probability))
                reads[at].doubtful.append(doubtful == "1")
                reads[at].margins.append(float(margin))
                reads[at].overruled.append(overruled == "1")
    return reads


def total(squares: Squares) -> int | None:
    """Return the points of the territories; None if there is no kingdom."""
    castles = [place for place, (terrain, _) in enumerate(squares) if terrain == "castle"]
    if len(squares) != 25 or len(castles) != 1:
        return None
    # Four real kingdoms break the rule of connection, which from_squares demands; their points count too.
    seen: set[int] = set()
    points = 0
    for start in range(25):
        terrain = squares[start][0]
        if start in seen or terrain in ("castle", "empty"):
            continue
        territory, frontier = {start}, [start]
        while frontier:
            square = frontier.pop()
            y, x = divmod(square, 5)
            for ny, nx in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                other = 5 * ny + nx
                if 0 <= ny < 5 and 0 <= nx < 5 and other not in territory and squares[other][0] == terrain:
                    territory.add(other)
                    frontier.append(other)
        seen |= territory
        points += len(territory) * sum(squares[square][1] for square in territory)
    return points


def calibration(reads: list[Read], truths: list[Squares]) -> tuple[float, float]:
    """Fit the probability to the margins by logistic regression, with a little weight on the middle."""
    margins = np.array([margin for read in reads for margin in read.margins])
    right = np.array(
        [
            a == b
            for read, truth in zip(reads, truths, strict=True)
            for a, b in zip(read.squares, truth, strict=False)
        ]
    )
    start, growth = 0.0, 1.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-(start + growth * margins)))
        gradient = np.array(
            [(right - p).sum() - 0.1 * start, ((right - p) * margins).sum() - 0.1 * (growth - 1)]
        )
        w = p * (1 - p)
        hessian = np.array(
            [[w.sum() + 0.1, (w * margins).sum()], [(w * margins).sum(), (w * margins**2).sum() + 0.1]]
        )
        start, growth = np.array([start, growth]) + np.linalg.solve(hessian, gradient)
    return float(start), float(growth)


def main() -> None:
    """Learn the five networks, read all pictures, print the page's tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path, help="the folder of the pictures and labels.csv")
    parser.add_argument(
        "--networks", type=Path, required=True, help="the folder that keeps the five networks"
    )
    parser.add_argument("--parts", type=int, default=PARTS, help="how many of the five parts to read (5)")
    parser.add_argument("--faults", action="store_true", help="print each wrong square")
    options = parser.parse_args()
    options.networks.mkdir(exist_ok=True)
    numbers, _, labels = read(options.photos)
    part = part_of(labels)
    chosen = [index for index in range(len(numbers)) if part[index] < options.parts]
    for number in range(options.parts):
        file = options.networks / f"{number + 1}.i8"
        if not file.exists():
            learn = [sys.executable, "-m", "tools.learn_photo", str(options.photos), "--out", str(file)]
            subprocess.run([*learn, "--without", f"{number + 1}/{PARTS}"], cwd=ROOT, check=True)

    truths = {i: [CLASSES[label] for label in labels[i].ravel()] for i in chosen}
    print(f"{len(chosen)} pictures of {len(np.unique(kingdoms(labels[chosen])))} kingdoms.\n")
    print(
        "| pictures | kingdoms | goal | totals | terrain | crowns | doubtful | with an unmarked fault "
        "| of these, nothing marked | ms |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    every_read: list[Read] = []
    every_truth: list[Squares] = []
    with tempfile.TemporaryDirectory() as folder:
        for (name, change), goal in zip(CHANGES.items(), TARGETS, strict=True):
            reads: dict[int, Read] = {}
            for number in range(options.parts):
                inside = [i for i in chosen if part[i] == number]
                files = []
                for i in inside:
                    picture = Image.open(options.photos / f"{numbers[i]}.jpg").convert("RGB")
                    files.append(Path(folder, f"{numbers[i]}.png"))
                    change(picture, numbers[i]).save(files[-1], compress_level=1)
                reads |= dict(zip(inside, run(options.networks / f"{number + 1}.i8", files), strict=True))
            whole = totals = terrain = crowns = doubtful = unmarked = silent = 0
            for i in chosen:
                got, truth = reads[i], truths[i]
                faults = [k for k in range(25) if got.squares[k : k + 1] != [truth[k]]]
                whole += not faults
                totals += total(got.squares) == total(truth)
                doubtful += sum(got.doubtful)
                terrain += sum(a[0] == b[0] for a, b in zip(got.squares, truth, strict=False))
                crowns += sum(a[1] == b[1] for a, b in zip(got.squares, truth, strict=False))
                if got.squares:
                    unmarked += any(not got.doubtful[k] for k in faults)
                    silent += bool(faults) and not any(got.doubtful)
                if options.faults:
                    for k in faults:
                        said = (
                            f"{got.squares[k]} p {got.probabilities[k]} margin {got.margins[k]} "
                            f"{got.doubtful[k]} {got.overruled[k]}"
                            if got.squares
                            else "nothing"
                        )
                        print(f"  {numbers[i]}: {divmod(k, 5)} is {truth[k]}, read {said}", file=sys.stderr)
            every_read += [reads[i] for i in chosen]
            every_truth += [truths[i] for i in chosen]
            count = len(chosen)
            times = sorted(reads[i].milliseconds for i in chosen)
            print(
                f"| {name} | {whole} | {goal} | {totals} | {terrain / count / 25:.2%} | {crowns / count / 25:.2%} "
                f"| {doubtful / count:.2f} | {unmarked} | {silent} "
                f"| {times[count // 2]:.0f}, at most {times[-1]:.0f} |",
                flush=True,
            )
    start, growth = calibration(every_read, every_truth)
    print(f"\nProbability of a margin m: 1 / (1 + exp(-({start:.2f} + {growth:.2f} m))).")
    print(
        f"\nMeasured on {platform.machine()}, Python {platform.python_version()}, kingdomino {kd.__version__}."
    )


if __name__ == "__main__":
    main()
