"""Draws the pictures of the documentation: ``python docs/pictures/draw.py`` writes them beside itself.

``pictures()`` returns them by name, so that a test can compare the files. Two others are written by
``kingdomino review game.txt --svg review.svg --annotated review.txt``.
"""

import re
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


if __name__ == "__main__":
    for name, picture in pictures().items():
        path = HERE / f"{name}.svg"
        path.write_text(picture, encoding="utf-8")
        print(f"{path}  {len(picture.encode()) / 1000:.0f} kB")
