"""Rich renderables: kingdoms, choices, scores, unseen dominoes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

import kingdomino as kd
from kingdomino.cli.terminal import words
from kingdomino.cli.terminal.choices import Choice
from kingdomino.cli.terminal.commands import HELP

_GAP = (0, 3)  # rows and columns between neighbours
_FEW = 12  # more choices than this get a denser layout at a crowded table
_STRONG, _QUIET, _TASK = "bold", "dim", "bold cyan"


def heading(title: str) -> Rule:
    """Draw a heading: a line across the screen with a title."""
    return Rule(title, style=_QUIET, align="left", characters="─")


def kingdoms(position: kd.Position, names: Sequence[str], console: Console) -> RenderableType:
    """Draw the kingdoms with their scores side by side, then the lines with the kings on them.

    With more than two players, only the kingdom of the seat to move has coordinates and room around it. Then four fit
    side by side into 80 columns, and the whole position into 24 rows.
    """
    colour, crowded = in_colour(console), len(names) > 2
    pointer = "> " if console.options.ascii_only else "▸ "
    boards, titles = list[Text](), list[Text]()
    for seat, (kingdom, score) in enumerate(zip(position.kingdoms, position.scores(), strict=True)):
        whole = not crowded or seat == position.to_move
        boards.append(
            _drawn(kd.text.kingdom(kingdom, colour=colour, seat=seat, coordinates=whole, room=whole))
        )
        mark = pointer if seat == position.to_move else "  "
        points = score.total if position.is_over else score.territories  # bonuses count at the end
        titles.append(Text.assemble((mark, _TASK), (names[seat], _STRONG), f"  {points}"))
    if crowded:
        _shorten(titles, boards, names, console)
    blocks = [Group(title, board, "") for title, board in zip(titles, boards, strict=True)]
    lines = _lines(position, names, colour)
    if not crowded:
        return Columns([*blocks, *([Group(*lines)] if lines else [])], padding=_GAP)
    return Group(Columns(blocks, padding=_GAP), Columns(lines, padding=_GAP))


def kingdom(kingdom: kd.Kingdom, console: Console) -> RenderableType:
    """Draw one kingdom."""
    return Group(_drawn(kd.text.kingdom(kingdom, colour=in_colour(console))), "")


def territories(kingdom: kd.Kingdom) -> Table:
    """Tabulate the scores of a kingdom's territories, by terrain."""
    table = _score_table()
    table.add_column()
    table.add_column("", footer=str(kingdom.score().total), justify="right")
    _add_territories(table, [kingdom])
    return table


def _score_table() -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_footer=True, footer_style=_STRONG)
    table.add_column("", footer="total")
    return table


def _add_territories(table: Table, kingdoms: Sequence[kd.Kingdom]) -> None:
    for terrain in kd.Terrain:
        if terrain is not kd.Terrain.CASTLE:
            table.add_row(terrain.value, *_territories(kingdoms, terrain))


def _shorten(titles: list[Text], boards: Sequence[Text], names: Sequence[str], console: Console) -> None:
    """Shorten each name to the width of its kingdom if the kingdoms would not fit side by side."""
    widths = [max(map(len, board.plain.splitlines())) for board in boards]
    taken = sum(max(width, title.cell_len) for width, title in zip(widths, titles, strict=True))
    if taken + _GAP[1] * (len(boards) - 1) <= console.width:
        return
    for seat, (title, width) in enumerate(zip(titles, widths, strict=True)):
        name = Text(names[seat])
        name.truncate(max(6, width - (title.cell_len - name.cell_len)), overflow="crop")
        titles[seat] = Text.assemble(title[:2], (name.plain, _STRONG), title[2 + len(names[seat]) :])


def offered(position: kd.Position, choices: Sequence[Choice], console: Console) -> RenderableType:
    """List the choices, each with its number and its score."""
    if position.domino is None:
        return _claims(choices, in_colour(console))
    marks_centre = position.rules.middle_kingdom
    # At a crowded table, many choices take four columns, to fit into 24 rows.
    dense = position.rules.players > 2 and len(choices) > _FEW
    centred = "*" if dense else "  centred"
    rows = []
    for choice in choices:
        centre = centred if choice.centred and marks_centre else ""
        style = _STRONG if choice.gain else _QUIET
        if dense:
            points = Text(f"{choice.gain:+}", style=style)
            rows.append(Text.assemble(f"{choice.number:>2} ", points, f" {choice.action.placement}{centre}"))
        else:
            points = Text(f"{choice.gain:+}".rjust(4), style=style)
            rows.append(Text.assemble(f"{choice.number:>3} ", points, f"  {choice.action.placement}{centre}"))
    if dense and marks_centre and any(choice.centred for choice in choices):
        rows.append(Text("* centred", style=_QUIET))
    return Columns(rows, padding=(0, 2) if dense else _GAP, column_first=True, equal=True)


def numbered(position: kd.Position, choices: Sequence[Choice], console: Console) -> RenderableType:
    """Draw the kingdom of the seat to move, with the numbers of its placements between the squares."""
    assert position.to_move is not None
    placements = [choice.action.placement for choice in choices if choice.action.placement]
    kingdom, colour = position.kingdoms[position.to_move], in_colour(console)
    return _drawn(kd.text.kingdom(kingdom, placements=placements, colour=colour, seat=position.to_move))


def scores(position: kd.Position, names: Sequence[str]) -> Table:
    """Tabulate each kingdom's score: territories by terrain, and the bonuses in play."""
    table = _score_table()
    totals = position.scores()
    for name, score in zip(names, totals, strict=True):
        table.add_column(Text(name))
        table.add_column("", footer=str(score.total), justify="right")
    _add_territories(table, position.kingdoms)
    if position.rules.harmony:
        table.add_row("Harmony", *_points(score.harmony for score in totals))
    if position.rules.middle_kingdom:
        table.add_row("Middle Kingdom", *_points(score.middle_kingdom for score in totals))
    return table


def unseen(position: kd.Position, console: Console) -> RenderableType:
    """Draw the unseen dominoes, lowest first, with the number that are still in the deck."""
    dominoes, in_deck = sorted(position.unseen), position.dominoes_to_come
    counted = f"{len(dominoes)} not seen yet"
    if in_deck < len(dominoes):
        counted += f", {in_deck} of them still in the deck"
    colour = in_colour(console)
    pictures = [_drawn(kd.text.line([domino], colour=colour)) for domino in dominoes]
    return Group(Text(counted, _STRONG), Columns(pictures, padding=(0, 1), column_first=True, equal=True))


def help_text(commands: Mapping[str, str] = HELP) -> Table:
    """List the commands with their explanations."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=False)
    for typed, meaning in commands.items():
        table.add_row(Text(typed, _STRONG), meaning)
    return table


def in_colour(console: Console) -> bool:
    """Return whether the console shows colours: the terminal can, and NO_COLOR is not set."""
    return console.color_system is not None and not console.no_color


def _lines(position: kd.Position, names: Sequence[str], colour: bool) -> list[RenderableType]:
    """Draw the dominoes still to place, and those on offer."""
    waiting = tuple(slot for slot in position.line if not slot.is_done)
    titled = [("This line", waiting), ("Next line", position.next_line)]
    if position.round == 0:
        titled = [("First line", position.line)]
    parts: list[RenderableType] = []
    for title, slots in titled:
        if slots:
            drawn = kd.text.line(slots, names=names, colour=colour)
            parts.append(Group(Text(title, _STRONG), _drawn(drawn)))
    return parts


def _claims(choices: Sequence[Choice], colour: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=False)
    for choice in choices:
        fits = "fits nowhere" if choice.gain is None else f"fits, up to {choice.gain:+}"
        table.add_row(_drawn(kd.text.line([choice.number], colour=colour)), fits)
    return table


def _territories(kingdoms: Sequence[kd.Kingdom], terrain: kd.Terrain) -> Iterable[str]:
    for kingdom in kingdoms:
        points = sum(one.score for one in kingdom.territories() if one.terrain is terrain)
        yield from (words.territories(kingdom, terrain), str(points))


def _points(bonuses: Iterable[int]) -> Iterable[str]:
    for bonus in bonuses:
        yield from ("", str(bonus))


def _drawn(drawing: str) -> Text:
    text = Text.from_ansi(drawing)
    text.no_wrap = True
    return text
