"""Render a game as text for a terminal, an SVG document, or an array of pixels.

The pixels are flat squares in the colours of the drawings, drawn with NumPy: enough for a video of a training run.
"""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from kingdomino.envs.observation import side
from kingdomino.svg import symbols

Mode: TypeAlias = Literal["rgb_array", "ansi", "human", "svg"]

MODES: tuple[Mode, ...] = get_args(Mode)

_SQUARE = 18  # pixels
_GAP = 6
_CROWN = 4


def check_mode(mode: Mode | None) -> Mode | None:
    """Return the mode. Raises `KingdominoError` if it is unknown."""
    if mode is not None and mode not in MODES:
        raise kd.KingdominoError(f"there is no render mode {mode!r} ({', '.join(MODES)})")
    return mode


def render(game: kd.Game, mode: Mode | None) -> NDArray[np.uint8] | str | None:
    """Return the game as an RGB array (height, width, 3), text or an SVG document; "human" prints the text."""
    position = game.position
    if mode == "rgb_array":
        return pixels(position)
    if mode == "ansi":
        return kd.text.position(position)
    if mode == "svg":
        layouts = [game.layout(seat) for seat in range(position.rules.players)]
        return kd.svg.position(position, layouts=layouts)
    if mode == "human":
        print(kd.text.position(position, colour=True), end="\n\n")
    return None


def pixels(position: kd.Position) -> NDArray[np.uint8]:
    """Draw a position: the kingdoms' frames side by side, the lines below them."""
    colours = symbols.colours("light")
    rules = position.rules
    frame_side = side(rules) * _SQUARE
    width = rules.players * (frame_side + _GAP) + _GAP
    height = frame_side + 3 * _GAP + rules.line_length * (_SQUARE + _GAP)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _rgb(colours["table"])
    for seat, kingdom in enumerate(position.kingdoms):
        left = _GAP + seat * (frame_side + _GAP)
        frame = picture[_GAP : _GAP + frame_side, left : left + frame_side]
        frame[:] = _rgb(colours["parchment" if seat == position.to_move else "parchment-deep"])
        for (x, y), square in kingdom.squares.items():
            column, row = x + side(rules) // 2, side(rules) // 2 - y
            part = frame[row * _SQUARE :, column * _SQUARE :][:_SQUARE, :_SQUARE]
            _draw_square(part, square.terrain, square.crowns, symbols.KINGS[seat])
    for column, line in enumerate((position.line, position.next_line)):
        for row, (domino, king, is_done) in enumerate(line):
            top = 2 * _GAP + frame_side + row * (_SQUARE + _GAP)
            left = _GAP + column * 4 * _SQUARE
            for offset, end in enumerate((domino.left, domino.right)):
                part = picture[top : top + _SQUARE, left + offset * _SQUARE :][:, :_SQUARE]
                _draw_square(part, end.terrain, end.crowns, "ink")
            if king is not None and not is_done:
                picture[top + _CROWN : top + _SQUARE - _CROWN, left + 2 * _SQUARE + _CROWN :][
                    :, : _SQUARE - 2 * _CROWN
                ] = _rgb(colours[symbols.KINGS[king]])
    return picture


def _draw_square(part: NDArray[np.uint8], terrain: kd.Terrain, crowns: int, castle: str) -> None:
    colours = symbols.colours("light")
    part[:-1, :-1] = _rgb(colours[castle] if terrain is kd.Terrain.CASTLE else symbols.ground(terrain))
    for crown in range(crowns):
        left = 2 + crown * (_CROWN + 1)
        part[2 : 2 + _CROWN, left : left + _CROWN] = _rgb(colours["gold"])


def _rgb(colour: str) -> NDArray[Any]:
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)
