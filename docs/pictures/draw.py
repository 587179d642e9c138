"""Draws the pictures of the documentation: ``python docs/pictures/draw.py`` writes them beside itself.

``pictures()`` returns them by name, so that a test can compare the files. ``--levels`` first plays the games of
levels.txt again. Two others are written by ``kingdomino review game.txt --svg review.svg --annotated review.txt``.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import kingdomino as kd

HERE = Path(__file__).parent


def pictures() -> dict[str, str]:
    """Draw every picture: name of the file without its ending -> SVG document."""
    records = (HERE.joinpath(name).read_text(encoding="utf-8") for name in ("four.txt", "two.txt"))
    four, two = map(kd.Record.parse, records)
    position, earlier = two.replay().position, two.replay()
    for _ in range(6):
        earlier.undo()
    kingdom, layout, domino = earlier.position.kingdoms[1], earlier.layout(1), kd.DOMINOES[40]
    best, *others = sorted(
        kingdom.placements(domino), key=lambda each: -kingdom.place(domino, each).score().total
    )
    too_wide = kd.Placement((3, 0), (4, 0))
    return {
        "position": _position(four),
        "position-dark": _position(four, theme="dark"),
        "two-players": _position(two),
        "game": _film(HERE.joinpath("game.txt").read_text(encoding="utf-8")),
        "kingdom": kd.svg.kingdom(kingdom, seat=1, layout=layout, size=48),
        "kingdom-plain": kd.svg.kingdom(kingdom, seat=1, coordinates=True, size=48),
        "kingdom-spots": kd.svg.kingdom(kingdom, seat=1, layout=layout, domino=domino, size=48),
        "kingdom-ghost": kd.svg.kingdom(
            kingdom, seat=1, layout=layout, domino=domino, placements=[best, *others], size=48
        ),
        "kingdom-refused": kd.svg.kingdom(
            kingdom, seat=1, layout=layout, domino=domino, placements=[too_wide], size=48
        ),
        "kingdom-played": _costliest(HERE.joinpath("review.txt").read_text(encoding="utf-8")),
        "kingdom-territories": kd.svg.kingdom(kingdom, seat=1, layout=layout, territories=True, size=48),
        "levels": _levels(list(kd.games.read(HERE / "levels.txt"))),
        "result": _result(),
        "line": kd.svg.line(position.line, size=48),
        "domino": kd.svg.domino(48, size=48),
        "back": kd.svg.back(48, size=48),
    }


def _position(record: kd.Record, theme: str = "light") -> str:
    game = record.replay()
    layouts = [game.layout(seat) for seat in range(game.rules.players)]
    return kd.svg.position(game.position, layouts=layouts, names=record.players, theme=theme)


SECONDS, LAST = 0.9, 5  # a turn is shown for so long, the end for that many turns


def _film(text: str) -> str:
    """Draw a game as an animation: one frame for each turn, then the result.

    An element of several frames in a row appears once, and a style sheet controls when it is visible.
    """
    record = kd.Record.parse(text)
    pictures = _frames(record)
    frames = [_parts(picture) for picture in pictures]
    length = len(frames) - 1 + LAST
    definitions, drawn, rules = dict[str, str](), list[str](), dict[str, None]()
    for defined, _ in frames:
        definitions |= defined
    for number, (_, parts) in enumerate(frames):
        before = frames[number - 1][1] if number else []
        for part in parts:
            if part in before:
                continue
            end = number + 1
            while end < len(frames) and part in frames[end][1]:
                end += 1
            if end - number == len(frames):
                drawn.append(part)
                continue
            name = f"f{number}-{end}"
            last = " end" if end == len(frames) else ""
            drawn.append(f'<g class="f {name}{last}">{part}</g>')
            shown = f"{100 * number / length:.3f}%{{visibility:visible}}"
            hidden = "" if last else f"{100 * end / length:.3f}%{{visibility:hidden}}"
            start = "0%{visibility:hidden}" if number else ""
            rules[f"@keyframes {name}{{{start}{shown}{hidden}}}.{name}{{animation-name:{name}}}"] = None
    style = f".f{{visibility:hidden;animation:{length * SECONDS:.1f}s step-end infinite}}{''.join(rules)}"
    # Readers who prefer reduced motion see the end of the game.
    style += "@media(prefers-reduced-motion:reduce){.f{animation:none}.end{visibility:visible}}"
    head = pictures[0][: pictures[0].index("<defs>")]
    title = f"A game of Kingdomino between {' and '.join(record.players)}, turn by turn"
    head = re.sub(r'(aria-label="|<title>)[^"<]*', lambda found: found[1] + title, head)
    all_definitions = "".join(definitions.values())
    return f"{head}<style>{style}</style><defs>{all_definitions}</defs>{''.join(drawn)}</svg>"


def _frames(record: kd.Record) -> list[str]:
    """Draw the beginning of each turn, and the end."""
    game, frames = record.replay(), list[str]()
    while True:
        position = game.position
        if position.is_over or position.domino is not None or not position.round:
            layouts = [game.layout(seat) for seat in range(game.rules.players)]
            frames.append(kd.svg.position(position, layouts=layouts, names=record.players))
        if not game.history:
            return frames[::-1]
        game.undo()


def _parts(picture: str) -> tuple[dict[str, str], list[str]]:
    """Split a picture into its definitions, by id, and its drawn elements."""
    picture = re.sub(r"kd-[0-9a-f]{10}-", "kd-", picture)
    head, _, body = picture.partition("</defs>")
    defined = re.finditer(r'<(\w+) id="([^"]+)".*?</\1>', head)
    parts, depth, begin = list[str](), 0, 0
    for tag in re.finditer(r"<(/?)\w[^>]*?(/?)>", body.removesuffix("</svg>")):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if depth == 0:
            parts.append(body[begin : tag.end()])
            begin = tag.end()
    return {found[2]: found[0] for found in defined}, parts


def _costliest(annotated: str) -> str:
    """Draw the costliest placement of an annotated record beside the best one."""
    record = kd.Record.parse(annotated)
    costs = {ply: one.cost or 0 for ply, one in record.annotations.items() if record.actions()[ply].placement}
    ply = max(costs, key=lambda ply: costs[ply])
    position, best, played = record.positions()[ply], record.annotations[ply].best, record.actions()[ply]
    assert position.to_move is not None
    assert best is not None
    assert best.placement is not None
    return kd.svg.kingdom(
        position.kingdoms[position.to_move],
        seat=position.to_move,
        domino=position.domino,
        placements=[best.placement],
        played=played.placement,
        size=48,
    )


def _result() -> str:
    game, greedy = kd.Game(kd.Rules(4), seed=4), kd.bots.make("greedy")
    while not game.is_over:
        game.play(greedy.choose(game.position))
    layouts = [game.layout(seat) for seat in range(4)]
    names = ["Ida", "Oskar", "Mara", "Bramble"]
    return kd.svg.result(game.position, layouts=layouts, names=names, width=850)


NAMES = ("Clover", "Tansy", "Yarrow", "Fennel", "Sorrel", "Juniper", "Bryony", "Bramble")
GAMES, SIDE, GAP, LABEL = 3, 130, 22, 100
"""Games of a level, and pixels: of a kingdom, between two, and of a level's name."""


def play_levels() -> Iterator[kd.Record]:
    """Play three games of each level against itself, with the same three decks."""
    rules = kd.Rules(players=2, harmony=True, middle_kingdom=True)
    for level in range(1, len(NAMES) + 1):
        # The strongest level has a time limit; a limit of playouts makes its games the same everywhere.
        spec = f"king:level={level}" if level < len(NAMES) else "king:playouts=1000"
        for seed in range(1, GAMES + 1):
            game = kd.Game(rules, seed=seed)
            bots = [kd.bots.make(f"{spec},seed={seat}" if level == len(NAMES) else spec) for seat in range(2)]
            while not game.is_over:
                assert game.position.to_move is not None
                game.play(bots[game.position.to_move].choose(game.position))
            yield kd.Record.from_game(game, players=[NAMES[level - 1]] * 2)


def _levels(records: list[kd.Record]) -> str:
    """Draw the first player's kingdom of each game, a level in a row."""
    definitions, drawn = dict[str, str](), ['<rect width="100%" height="100%" rx="14" fill="#eadfc8"/>']
    step = SIDE + GAP
    width, height = LABEL + GAMES * step, len(NAMES) * step + GAP
    head = ""
    for number, record in enumerate(records):
        level, column = divmod(number, GAMES)
        game = record.replay()
        kingdom = game.position.kingdoms[0]
        picture = kd.svg.kingdom(kingdom, seat=0, layout=game.layout(0))
        defined, parts = _parts(picture)
        definitions |= defined
        head = head or picture[: picture.index("<title>")]
        box = re.search(r'viewBox="([^"]+)"', picture)
        assert box
        x, y = LABEL + column * step, level * step + GAP / 2
        points = kingdom.score(record.rules).total
        drawn.append(
            f'<svg x="{x}" y="{y:g}" width="{SIDE}" height="{SIDE}" viewBox="{box[1]}">{"".join(parts)}</svg>'
            f'<text x="{x + SIDE / 2:g}" y="{y + SIDE + 15:g}" font-size="13" text-anchor="middle">{points}</text>'
        )
    for level, name in enumerate(NAMES):
        y = level * step + (SIDE + GAP) / 2
        drawn.append(f'<text x="16" y="{y:g}" font-size="19">{name}</text>')
        drawn.append(f'<text x="16" y="{y + 20:g}" font-size="13" opacity=".7">level {level + 1}</text>')
    title = "Three kingdoms of each level, from level 1 to level 8"
    head = re.sub(
        r'viewBox="[^"]*" width="[^"]*" height="[^"]*"',
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        head,
    )
    head = re.sub(r'aria-label="[^"]*"', f'aria-label="{title}"', head)
    return f"{head}<title>{title}</title><defs>{''.join(definitions.values())}</defs>{''.join(drawn)}</svg>"


if __name__ == "__main__":
    if sys.argv[1:] == ["--levels"]:
        text = "\n".join(record.to_text() for record in play_levels())
        HERE.joinpath("levels.txt").write_text(text, encoding="utf-8")
    for name, picture in pictures().items():
        path = HERE / f"{name}.svg"
        path.write_text(picture, encoding="utf-8")
        print(f"{path}  {len(picture.encode()) / 1000:.0f} kB")
