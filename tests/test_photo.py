"""Photographs: pictures of our own art, drawn on a table in perspective with noise, as another edition."""

import io
import pickle
from pathlib import Path

import numpy as np
import pytest
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
    """Return what lies on the 25 squares of its reach, row by row from the top."""
    (left, low), (right, high) = kingdom.reach
    return [kingdom.squares.get((x, y)) for y in range(high, low - 1, -1) for x in range(left, right + 1)]


def photographed(kingdom: kd.Kingdom, seed: int, light: float = 1.0) -> NDArray[np.uint8]:
    """Draw it on a table, as a camera sees it from one side."""
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
    coefficients = np.linalg.solve(np.array(equations), np.array(values, float))
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


@pytest.fixture(scope="module")
def taught() -> kd.photo.Taught:
    """Return the examples of four kingdoms."""
    examples = kd.photo.Taught()
    for seed in range(4):
        kingdom = played(seed)
        examples = kd.photo.teach(
            photographed(kingdom, seed), contents(kingdom), corners=CORNERS, taught=examples
        )
    return examples


def test_another_edition_is_read_after_examples(taught: kd.photo.Taught) -> None:
    kingdom = played(11)
    reading = kd.photo.read(photographed(kingdom, 12, 0.7), corners=CORNERS, taught=taught)
    assert [square.square for square in reading.squares] == contents(kingdom)
    assert reading.kingdom == kingdom


def test_a_path_bytes_and_an_array_are_the_same_picture(taught: kd.photo.Taught, tmp_path: Path) -> None:
    picture = photographed(played(11), 12)
    file = tmp_path / "kitchen.png"
    file.write_bytes(as_file(picture, "PNG"))
    readings = {
        kd.photo.read(source, corners=CORNERS, taught=taught)
        for source in (file, str(file), file.read_bytes())
    }
    assert readings == {kd.photo.read(picture, corners=CORNERS, taught=taught)}


def test_a_reading_says_how_sure_it_is(taught: kd.photo.Taught) -> None:
    reading = kd.photo.read(photographed(played(11), 12), corners=CORNERS, taught=taught)
    assert len(reading.squares) == 25
    assert all(0 <= square.probability <= 1 for square in reading.squares)
    assert all(square.other != square.square for square in reading.squares)
    assert set(reading.doubtful) <= set(reading.squares)
    assert [(square.row, square.column) for square in reading.squares[4:6]] == [(0, 4), (1, 0)]
    assert pickle.loads(pickle.dumps(reading)) == reading


def test_examples_are_values(taught: kd.photo.Taught) -> None:
    assert kd.photo.Taught.from_bytes(taught.to_bytes()) == taught == pickle.loads(pickle.dumps(taught))
    assert hash(taught) != hash(kd.photo.Taught())
    assert repr(kd.photo.Taught()) == "Taught()"
    with pytest.raises(kd.KingdominoError, match="no examples"):
        kd.photo.Taught.from_bytes(b"something else")
    with pytest.raises(kd.KingdominoError, match="24 squares are given: there are 25"):
        kd.photo.teach(np.zeros((100, 100, 3), np.uint8), [None] * 24)


def bad_pictures() -> dict[str, tuple[bytes | NDArray[np.uint8], str]]:
    """Return pictures that cannot be read, with the codes of their errors."""
    random = np.random.default_rng(1)
    jpeg = as_file(random.integers(0, 255, (300, 300, 3), dtype=np.uint8))
    animation = io.BytesIO()
    frames = [Image.new("RGB", (200, 200), (shade, 0, 0)) for shade in (50, 200)]
    frames[0].save(animation, "PNG", save_all=True, append_images=frames[1:])
    return {
        "text": (b"w1ff/.C.", "format"),
        "a photograph of an iPhone": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "heic"),
        "an animated PNG": (animation.getvalue(), "animated"),
        "half a JPEG": (jpeg[:400], "damaged"),
        "no light": (np.full((500, 500, 3), 2, np.uint8), "too_dark"),
        "a stamp": (np.full((40, 40, 3), 99, np.uint8), "too_small"),
        "noise": (random.integers(0, 255, (500, 500, 3), dtype=np.uint8), "no_kingdom"),
    }


@pytest.mark.parametrize("name", bad_pictures())
def test_each_bad_picture_has_its_error(name: str) -> None:
    picture, code = bad_pictures()[name]
    with pytest.raises(kd.PictureError) as caught:
        kd.photo.read(picture)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 1), (0, 1), (1, 0)],
        [(0, 0), (0, 500), (500, 500), (500, 0)],
        [(float("nan"), 0), (500, 0), (500, 500), (0, 500)],
        [(0, 0), (1e9, 0), (1e9, 1e9), (0, 1e9)],
        [(0, 0), (500, 0), (500, 500)],
    ],
)
def test_corners_go_around_the_kingdom(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(kd.PictureError) as caught:
        kd.photo.read(photographed(played(11), 12), corners=corners)
    assert caught.value.code == "corners"


@pytest.mark.parametrize("shape", [(500, 500), (500, 500, 2), (0, 500, 3)])
def test_arrays_of_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises((kd.KingdominoError, TypeError)):
        kd.photo.read(np.zeros(shape, np.uint8))
