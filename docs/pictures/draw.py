"""Draws the pictures of the documentation: ``python docs/pictures/draw.py`` writes them beside itself.

``pictures()`` gives them by name, so that a test can tell whether the files are up to date. Two others are written by
``kingdomino review game.txt --svg review.svg --annotated review.txt``.
"""

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
        "line": kd.svg.line(position.line, claims=position.claims, size=48),
        "domino": kd.svg.domino(48, size=48),
        "back": kd.svg.back(48, size=48),
    }


def _position(record: kd.Record, theme: str = "light") -> str:
    game = record.replay()
    layouts = [game.layout(seat) for seat in range(game.rules.players)]
    return kd.svg.position(game.position, layouts=layouts, names=record.players, theme=theme)


def _costliest(annotated: str) -> str:
    """Draw the costliest placement of an annotated record beside the best one."""
    record = kd.Record.parse(annotated)
    costs = {ply: one.cost or 0 for ply, one in record.annotations.items() if record.actions[ply].placement}
    ply = max(costs, key=lambda ply: costs[ply])
    position, best, played = record.positions()[ply], record.annotations[ply].best, record.actions[ply]
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
