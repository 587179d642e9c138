"""Tries the Kingdomino that is installed for this Python, and not this checkout."""

import re
import subprocess
import sysconfig
from importlib.metadata import files, version
from pathlib import Path

import kingdomino as kd

CHECKOUT = Path(__file__).parents[1]


def main() -> None:
    """Try the library, and then the program."""
    assert CHECKOUT / "python/kingdomino" not in Path(kd.__file__).parents, kd.__file__
    assert kd.__version__ == version("kingdomino")
    _play()
    shipped = [str(file) for file in files("kingdomino") or ()]
    for part in (
        "licenses/LICENSE",
        "licenses/THIRD-PARTY.md",
        "engine/kingdomino.wasm.br",
        "engine/play.wasm.br",
        "kingdomino-python.cyclonedx.json",
        "py.typed",
    ):
        assert any(file.endswith(part) for file in shipped), f"{part} does not ship"
    said = _run("--version")
    assert re.fullmatch(rf"kingdomino {re.escape(kd.__version__)} \([0-9a-f]{{12}}(-dirty)?\)\n", said), said
    assert "greedy" in _run("simulate", "--games", "2", "--bots", "greedy,random", "--seed", "1")
    print(f"kingdomino {kd.__version__} works from {Path(kd.__file__).parent}")


def _play() -> None:
    game = kd.Game(kd.Rules(players=2, harmony=True), seed=7)
    greedy = kd.bots.make("greedy")
    while not game.is_over:
        game.play(greedy.choose(game.position))
    record = kd.Record.from_game(game)
    assert kd.Record.parse(record.to_text()).replay().outcome() == game.outcome()
    assert kd.Position.parse(game.position.to_text()) == game.position
    assert "</svg>" in kd.svg.position(game.position)


def _run(*arguments: str) -> str:
    program = Path(sysconfig.get_path("scripts")) / "kingdomino"
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


if __name__ == "__main__":
    main()
