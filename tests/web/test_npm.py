"""The npm package in an empty folder: a program that uses it, and an engine for the arena."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.engine import needs_engine

from tools.npm_package import pack

pytestmark = needs_engine
_BIN = Path(sys.executable).parent
_PROGRAM = """
import assert from "node:assert/strict";
import { EngineError, Game, Rules, Search, choose, kingdom, merge, playouts, review } from "kingdomino";

const game = new Game(new Rules("2.second.random.harmony"), 7);
assert.throws(() => game.play("discard"), (error) => error instanceof EngineError && error.refusal.code !== "");
while (!game.isOver) game.play(choose(game.position, "greedy"));
assert.equal(game.outcome.scores.length, 2);
const again = Game.read(game.record);
again.undo();
assert.ok(!again.isOver);
assert.equal(kingdom("w1C").score.total, 1);
assert.equal(playouts(new Game().position, 100).n, 100);
const search = new Search(new Game("2.second.random", 1).position, { seed: 1 });
assert.equal(search.run(200), "limit");
assert.ok(new Game("2.second.random", 1).legalActions.includes(search.best));
assert.deepEqual(merge(search.sums()), search.analysis());
search.free();
const plies = [];
const reviewed = review(game.record, { playouts: 20, onDecision: (ply) => plies.push(ply) });
assert.equal(reviewed.decisions.length, plies.length);
assert.ok(reviewed.seats.every(({ cost_points }) => cost_points >= 0));
assert.throws(() => search.best, /freed/);
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npm")
    package = pack(folder / "packed")
    command = [str(_BIN / "npm"), "install", "--offline", "--silent", "--no-audit", "--no-fund", str(package)]
    subprocess.run(command, cwd=folder, check=True)
    return folder


def test_a_program_plays_scores_searches_and_reviews(installed: Path) -> None:
    (installed / "program.mjs").write_text(_PROGRAM, "utf-8")
    done = subprocess.run(
        [_BIN / "node", "program.mjs"], cwd=installed, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_example_is_an_engine_for_the_arena(installed: Path) -> None:
    shutil.copy(installed / "node_modules/kingdomino/examples/engine.js", installed / "engine.mjs")
    command = [str(_BIN / "kingdomino"), "engine-check", "--grace", "10", str(_BIN / "node"), "engine.mjs"]
    done = subprocess.run(command, cwd=installed, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
