"""Photographs: pictures of our own art, drawn on a table in perspective with noise, as another edition."""

import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from support.photos import CORNERS, as_file, contents, photographed, played, taught_by

import kingdomino as kd


@pytest.fixture(scope="module")
def taught() -> kd.photo.Taught:
    """Return the examples of four kingdoms."""
    return taught_by(4)


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


@pytest.mark.parametrize("seed", [11, 15, 19])
def test_a_kingdom_on_a_table_is_found(taught: kd.photo.Taught, seed: int) -> None:
    kingdom = played(seed)
    picture = photographed(kingdom, 12)
    reading = kd.photo.read(picture, taught=taught)
    assert np.abs(np.array(reading.corners) - CORNERS).max() < 12
    assert reading.kingdom == kingdom
    squares = contents(kingdom)
    assert kd.photo.teach(picture, squares, taught=taught) == kd.photo.teach(
        picture, squares, corners=reading.corners, taught=taught
    )


def test_a_kingdom_that_fills_the_picture_is_found() -> None:
    corners = [value for at in (0, 3, 2, 1) for value in CORNERS[at]]
    photograph = Image.fromarray(photographed(played(11), 12))
    flat = np.asarray(photograph.transform((500, 500), Image.Transform.QUAD, corners))
    whole = [(0, 0), (500, 0), (500, 500), (0, 500)]
    reading = kd.photo.read(flat, taught=kd.photo.teach(flat, contents(played(11)), corners=whole))
    assert list(reading.corners) == whole
    assert reading.kingdom == played(11)


def test_a_reading_says_how_sure_it_is(taught: kd.photo.Taught) -> None:
    reading = kd.photo.read(photographed(played(11), 12), corners=CORNERS, taught=taught)
    assert len(reading.squares) == 25
    assert all(0 <= square.probability <= 1 for square in reading.squares)
    assert all(len({square.square, *square.others}) == 3 for square in reading.squares)
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
        "half a JPEG": (jpeg[: len(jpeg) // 2], "damaged"),
        "no light": (np.full((500, 500, 3), 2, np.uint8), "too_dark"),
        "a stamp": (np.full((40, 40, 3), 99, np.uint8), "too_small"),
        "noise": (random.integers(0, 255, (500, 500, 3), dtype=np.uint8), "no_kingdom"),
    }


def test_a_frame_of_black_is_no_part_of_a_picture(taught: kd.photo.Taught) -> None:
    kingdom = played(11)
    whole = photographed(kingdom, 12)
    framed = np.zeros((600, 660, 3), np.uint8)
    framed[20:580, 20:640] = whole
    corners = [(x + 20, y + 20) for x, y in CORNERS]
    assert kd.photo.read(framed, corners=corners, taught=taught).kingdom == kingdom


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
