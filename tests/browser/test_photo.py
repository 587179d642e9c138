"""Scoring from a photograph in the browser: a picture, its corners, the reading, corrections, and the score sheet.

The pictures show our own art on a table, whose look the page has been taught; the network has learned another edition.
"""

from __future__ import annotations

import base64
import io
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from PIL import Image
from playwright.sync_api import Browser, Locator, Route, expect
from support.photos import CORNERS, as_file, contents, photographed, played, taught_by

import kingdomino as kd
from browser.conftest import CHROMIUM, FLAGS
from browser.player import BASE, DESK, LANGUAGES, PHONE, THINKING, Device, Json, Player, Sit, Trouble
from browser.served import Served
from browser.test_access import faultless
from browser.test_reach import EXTENT, TARGETS
from browser.test_words import leftovers

KINGDOM = played(11)
GUIDE = 0.86
"""The part of the shorter side of a camera's picture that its frame takes."""

SEARCHED = f"""async () => {{
  const {{ engine }} = await import({BASE} + "engine/study.js");
  await engine.ask("dominoes", {{}}); // it answers in turn
}}"""
"""Wait until the engine has looked for the kingdom."""


@cache
def examples() -> str:
    return base64.b64encode(taught_by(4).to_bytes()).decode()


@cache
def picture() -> bytes:
    return as_file(photographed(KINGDOM, 12), "PNG")


def straightened(side: int) -> Image.Image:
    """Return the kingdom of the picture as seen from above."""
    corners = [value for at in (0, 3, 2, 1) for value in CORNERS[at]]
    whole = Image.open(io.BytesIO(picture()))
    return whole.transform((side, side), Image.Transform.QUAD, corners, Image.Resampling.BICUBIC)


def learned(player: Player, taught: str | None = None) -> None:
    """Store examples of this edition on the device."""
    player.go("/rules")
    kept = {"version": 1, "examples": taught or examples()}
    player.page.evaluate("(kept) => { localStorage['kingdomino.taught'] = JSON.stringify(kept); }", kept)


def choose(player: Player, file: bytes, name: str = "kitchen.png", mime: str = "image/png") -> None:
    """Choose a file on the page, which is open."""
    player.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": mime, "buffer": file},
    )


def handle(player: Player, corner: int) -> Locator:
    """Find the handle of a corner."""
    return player.page.locator(".handle").nth(corner)


def drag_corners(player: Player) -> None:
    """Drag the corners of the picture to the kingdom's."""
    handle(player, 0).press("ArrowRight")  # ends the search for the kingdom, which moves corners, too
    box = player.page.locator(".shot > canvas").first.bounding_box()
    assert box
    mouse, scale = player.page.mouse, box["width"] / 620
    for corner, (x, y) in enumerate(CORNERS):
        grip = handle(player, corner).bounding_box()
        assert grip
        mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
        mouse.down()
        mouse.move(box["x"] + x * scale, box["y"] + y * scale, steps=3)
        expect(player.page.locator(".lens")).to_be_visible()
        mouse.up()
        expect(player.page.locator(".lens")).to_be_hidden()
        at = player.page.locator(".handle").nth(corner).bounding_box()
        assert at
        assert at["x"] + at["width"] / 2 - box["x"] == pytest.approx(x * scale, abs=1)
        assert at["y"] + at["height"] / 2 - box["y"] == pytest.approx(y * scale, abs=1)


def read(player: Player, file: bytes | None = None) -> None:
    """Open the page, choose a picture, drag the corners, and let it be read."""
    player.go("/photo")
    choose(player, file or picture())
    expect(handle(player, 0)).to_be_visible()
    drag_corners(player)
    player.button("photo.read").click()
    expect(player.button("photo.right")).to_be_visible()


def cells(player: Player) -> list[str]:
    """List the names of the squares that were read."""
    found: list[str] = player.page.locator(".mine [role=gridcell]").evaluate_all(
        "(all) => all.map(({ ariaLabel }) => ariaLabel)"
    )
    return found


def cell(player: Player, column: int, row: int) -> Locator:
    """Find a square by its place, from 1."""
    return player.page.locator(".mine [role=gridcell]").nth(5 * (row - 1) + column - 1)


def expected(kingdom: kd.Kingdom) -> list[str]:
    """List the words for what lies on each square."""
    words = []
    for square in contents(kingdom):
        if square is None:
            words.append("empty")
        else:
            crowns = f", {square.crowns} crown{'s' * (square.crowns > 1)}" if square.crowns else ""
            words.append(f"{square.terrain}{crowns}")
    return [f"{what}, column {at % 5 + 1}, row {at // 5 + 1}" for at, what in enumerate(words)]


def kept_sheet(player: Player) -> Json:
    sheet: Json = player.page.evaluate("JSON.parse(localStorage['kingdomino.score']).sheet")
    return sheet


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_a_photograph_fills_the_sheet(sit: Sit, device: Device) -> None:
    ida = sit(device)
    learned(ida)
    read(ida)
    points = ida.page.locator(".mine .score b")
    expect(points).not_to_be_empty()
    if device is DESK:  # a phone's corners are less exact
        assert cells(ida) == expected(KINGDOM)
        expect(points).to_have_text(str(KINGDOM.score().total))
    there, total = cells(ida), points.inner_text()
    expect(ida.page.locator(".counted .sum b")).to_have_text(total)
    ida.button("photo.right").click()
    ida.page.wait_for_url("**/score")
    expect(ida.page.locator(".counted .sum b")).to_have_text(total)
    [[land]] = kept_sheet(ida)["games"]
    assert len(land["squares"]) == sum(not name.startswith(("empty", "castle")) for name in there)
    ida.page.locator("#photo").click()
    expect(ida.page.locator("h1")).to_have_text(ida.say("photo.start_head", name="Yellow"))
    choose(ida, as_file(photographed(played(3), 5), "PNG"))
    expect(ida.page.get_by_role("radio")).to_have_count(0)  # the first kingdom gives the size
    drag_corners(ida)
    ida.button("photo.read").click()
    expect(points).not_to_be_empty()
    second = points.inner_text()
    ida.button("photo.right").click()
    ida.page.wait_for_url("**/score")
    expect(ida.page.get_by_role("tab").nth(1).locator("b")).to_have_text(second)
    ida.page.locator("#undo").click()
    expect(ida.page.get_by_role("tab")).to_have_count(1)


def test_a_correction_teaches_the_engine(sit: Sit) -> None:
    ida = sit(PHONE)
    learned(ida)
    read(ida)
    before = ida.page.evaluate("localStorage['kingdomino.taught']")
    at = next(number for number, one in enumerate(contents(KINGDOM)) if one and one.terrain == "wheat")
    column, row = at % 5 + 1, at // 5 + 1
    cell(ida, column, row).tap(force=True)
    expect(ida.page.locator(".ask1 small")).to_have_text(ida.say("photo.where", column=column, row=row))
    ida.page.get_by_role("button", name=ida.say("photo.else")).tap()
    ida.page.locator(".guess").get_by_text("mine, 3 crowns").tap()
    expect(cell(ida, column, row)).to_have_attribute(
        "aria-label", f"mine, 3 crowns, column {column}, row {row}"
    )
    while ida.page.locator(".check").is_visible():
        ida.page.locator(".guess[aria-pressed=true]").tap()
    expect(ida.page.locator("h1")).to_have_text(ida.say("photo.cannot_be"))
    expect(ida.page.locator(".caption")).not_to_be_empty()
    ida.button("photo.corners").tap()
    ida.button("photo.read").tap()  # the corners have not moved
    expect(cell(ida, column, row)).to_have_attribute(
        "aria-label", f"mine, 3 crowns, column {column}, row {row}"
    )
    ida.page.reload()  # as a phone may do while one answers a call
    expect(cell(ida, column, row)).to_have_attribute(
        "aria-label", f"mine, 3 crowns, column {column}, row {row}"
    )
    ida.button("photo.right").tap()
    ida.page.wait_for_url("**/score")
    assert ida.page.evaluate("localStorage['kingdomino.taught']") != before
    ida.go("/photo")
    expect(ida.button("photo.open_camera")).to_be_visible()


def test_keys_do_everything(sit: Sit) -> None:
    ida = sit()
    learned(ida)
    ida.go("/photo")
    choose(ida, picture())
    handle(ida, 0).focus()
    ida.press("ArrowRight")  # ends the search for the kingdom
    was = handle(ida, 0).get_attribute("aria-label")
    for key in ("ArrowRight", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp"):
        ida.press(key)
    expect(handle(ida, 0)).not_to_have_attribute("aria-label", was or "")
    ida.press("ArrowLeft", "ArrowUp")
    expect(handle(ida, 0)).to_have_attribute("aria-label", was or "")
    drag_corners(ida)
    ida.focus(ida.button("photo.read"))
    ida.press("Enter")
    expect(ida.button("photo.right")).to_be_visible()
    cell(ida, 1, 1).focus()
    ida.press("ArrowRight", "Enter")
    expect(ida.page.locator(".ask1 small")).to_have_text(ida.say("photo.where", column=2, row=1))
    expect(ida.page.locator(".guess").first).to_be_focused()
    ida.page.locator(".guess.other").focus()
    ida.press("Enter")
    expect(ida.page.locator(".guess")).to_have_count(18)
    ida.press("Escape")
    expect(ida.page.locator(".guess")).to_have_count(4)
    ida.press("Escape")
    expect(ida.page.locator(".check")).to_be_hidden()
    expect(cell(ida, 2, 1)).to_be_focused()
    ida.press("Enter", "Enter")
    ida.focus(ida.button("photo.right"))
    ida.press("Enter")
    ida.page.wait_for_url("**/score")


def test_two_tabs_keep_both_kingdoms(sit: Sit) -> None:
    ida = sit()
    learned(ida)
    read(ida)
    other = Player(ida.page.context.new_page(), ida.trouble, ida.address, DESK, "en")
    read(other)
    other.button("photo.right").click()
    other.page.wait_for_url("**/score")
    other.page.locator("#add").click()
    expect(other.page.get_by_role("tab")).to_have_count(2)
    ida.button("photo.right").click()
    ida.page.wait_for_url("**/score")
    expect(ida.page.get_by_role("tab")).to_have_count(2)


def test_a_correction_moves_the_castle(sit: Sit) -> None:
    ida = sit()
    learned(ida)
    read(ida)
    castle = next(number for number, one in enumerate(contents(KINGDOM)) if one and one.terrain == "castle")
    other = 0 if castle else 1
    cell(ida, other % 5 + 1, 1).click(force=True)
    ida.page.get_by_role("button", name=ida.say("photo.else")).click()
    ida.page.locator(".guess").get_by_text("castle").click()
    expect(cell(ida, other % 5 + 1, 1)).to_have_attribute(
        "aria-label", f"castle, column {other % 5 + 1}, row 1"
    )
    expect(cell(ida, castle % 5 + 1, castle // 5 + 1)).to_have_attribute(
        "aria-label", f"empty, column {castle % 5 + 1}, row {castle // 5 + 1}"
    )


def test_the_page_finds_a_straightened_kingdom(sit: Sit) -> None:
    ida = sit()
    flat = np.asarray(straightened(500))
    learned(ida, base64.b64encode(kd.photo.teach(flat, contents(KINGDOM)).to_bytes()).decode())
    ida.go("/photo")
    file = io.BytesIO()
    straightened(500).save(file, "PNG")
    choose(ida, file.getvalue())
    expect(handle(ida, 2)).to_have_attribute(
        "aria-label", f"{ida.say('photo.corner_2')}: 500, 500. {ida.say('photo.corner_help')}"
    )
    ida.button("photo.read").click()
    expect(ida.button("photo.right")).to_be_visible()


def test_the_page_finds_a_kingdom_on_a_table(sit: Sit) -> None:
    ida = sit(PHONE)
    learned(ida)
    ida.go("/photo")
    choose(ida, picture())
    read = ida.button("photo.read")
    expect(read).to_be_enabled(timeout=THINKING)
    for corner, there in enumerate(CORNERS):
        label = handle(ida, corner).get_attribute("aria-label") or ""
        found = re.search(r": (\d+), (\d+)\.", label)
        assert found, label
        assert np.hypot(*(np.array(found.groups(), float) - there)) < 12
    read.tap()
    expect(ida.button("photo.right")).to_be_visible()
    assert cells(ida) == expected(KINGDOM)


def test_a_corner_in_the_hand_stays_there(sit: Sit) -> None:
    ida = sit()
    learned(ida)
    kept: list[Route] = []
    ida.catch("**/kingdomino.wasm", lambda route: kept.append(route))
    ida.go("/photo")
    choose(ida, picture())
    handle(ida, 0).hover()
    ida.page.mouse.down()
    expect(ida.page.locator(".lens")).to_be_visible()
    was = [handle(ida, corner).get_attribute("aria-label") for corner in range(4)]
    kept[0].continue_()
    ida.page.evaluate(SEARCHED)
    assert [handle(ida, corner).get_attribute("aria-label") for corner in range(4)] == was
    ida.page.mouse.up()
    expect(ida.button("photo.read")).to_be_enabled()


def test_a_picture_without_a_kingdom_gets_a_sentence(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/photo")
    refused = ida.page.locator("#refused")
    for name, bad, key in (
        ("text", b"w1ff/.C.", "unreadable"),
        ("a photograph of an iPhone", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" * 50, "unreadable"),
        ("a picture cut short", picture()[:60], "damaged"),
    ):
        choose(ida, bad, f"{name}.jpg", "image/jpeg")
        expect(refused).to_have_text(ida.say(f"photo.{key}"))
        choose(ida, picture())
        expect(handle(ida, 0)).to_be_visible()
        expect(refused).to_be_empty()
        ida.button("photo.again").tap()
    random = np.random.default_rng(1)
    for shown, why in (
        (np.zeros((300, 300, 3), np.uint8), "photo.too_dark"),
        (random.integers(0, 255, (400, 300, 3), np.uint8), "photo.nothing_next"),
    ):
        choose(ida, as_file(shown, "PNG"))
        expect(ida.button("photo.read")).to_be_disabled()  # the corners have not been placed
        handle(ida, 0).press("ArrowRight")
        ida.button("photo.read").tap()
        expect(ida.page.locator("h1")).to_have_text(ida.say("photo.nothing"))
        expect(ida.page.locator(".head p")).to_have_text(ida.say(why))
        expect(ida.button("photo.another")).to_be_visible()
        if why == "photo.too_dark":
            ida.button("photo.another").tap()
    ida.button("photo.by_hand").tap()
    for number, square in enumerate(contents(KINGDOM)):
        if square is None or square.terrain == "castle":
            continue
        cell(ida, number % 5 + 1, number // 5 + 1).tap(force=True)
        ida.page.locator(".guess").get_by_text(
            expected(KINGDOM)[number].split(", column")[0], exact=True
        ).tap()
    assert cells(ida) == expected(KINGDOM)
    ida.button("photo.right").tap()
    ida.page.wait_for_url("**/score")
    assert ida.page.evaluate("localStorage['kingdomino.taught'].length") > 1000


def test_the_page_applies_the_cameras_rotation(sit: Sit) -> None:
    ida = sit()
    learned(ida)
    turned = Image.open(io.BytesIO(picture())).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by a quarter
    file = io.BytesIO()
    turned.save(file, "JPEG", quality=95, exif=exif)
    read(ida, file.getvalue())
    assert cells(ida) == expected(KINGDOM)


FILMED = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
NO_CAMERA = """(name) => {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", name));
}"""


def test_the_camera_takes_the_picture(chromium: Browser, served: Served, tmp_path: Path) -> None:
    seen = Image.new("RGB", (640, 640), (112, 84, 62))
    seen.paste(straightened(550), (45, 45))
    still = io.BytesIO()
    seen.save(still, "JPEG", quality=95)
    film = tmp_path / "film.mjpeg"
    film.write_bytes(3 * still.getvalue())
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        chromium_sandbox=os.geteuid() != 0,
        args=[*FLAGS, *FILMED, f"--use-file-for-fake-video-capture={film}"],
    )
    trouble = Trouble(served.address)
    context = browser.new_context(viewport=PHONE.size, has_touch=True, locale="en", service_workers="block")
    context.on("page", trouble.watch)
    ida = Player(context.new_page(), trouble, served.address, PHONE, "en")
    learned(ida)
    ida.go("/photo")
    ida.button("photo.open_camera").tap()
    ida.button("photo.take").tap()
    ida.button("photo.read").tap()
    expect(ida.button("photo.right")).to_be_visible()
    assert len(cells(ida)) == 25
    browser.close()
    assert trouble.seen == []


@pytest.mark.parametrize(
    ("error", "key"),
    [("NotAllowedError", "refused"), ("NotFoundError", "no_camera"), ("NotReadableError", "camera_failed")],
)
def test_without_a_camera_the_page_says_why(sit: Sit, error: str, key: str) -> None:
    ida = sit()
    ida.go("/photo")
    ida.page.evaluate(NO_CAMERA, error)
    ida.button("photo.open_camera").click()
    expect(ida.page.locator("#refused")).to_have_text(ida.say(f"photo.{key}"))
    choose(ida, picture())
    expect(handle(ida, 0)).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_translated_and_fits(sit: Sit, language: str) -> None:
    ida = sit(PHONE, language=language)
    learned(ida)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    ida.go("/photo")

    def look(where: str) -> None:
        leftovers(ida, language)
        assert ida.page.evaluate(TARGETS) == [], where
        assert ida.page.evaluate(EXTENT)[0] == PHONE.width, where
        if language == "en":
            faultless(ida, where)

    look("the start")
    choose(ida, picture())
    expect(handle(ida, 0)).to_be_visible()
    look("the corners")
    drag_corners(ida)
    ida.button("photo.read").tap()
    expect(ida.button("photo.right")).to_be_visible()
    cell(ida, 2, 2).tap(force=True)
    expect(ida.page.locator(".guess").first).to_be_visible()
    look("the reading")
    ida.page.get_by_role("button", name=ida.say("photo.else")).tap()
    look("all squares")
