"""The engine in the page: calls and searches in its worker, and the message where it is missing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

import kingdomino as kd
from browser.player import THINKING, Json, Player, Sit
from browser.test_review import cut_short, of_another_version

POSITION = kd.Game(kd.Rules(players=2, harmony=True), seed=5).position
MODULE = """async () => {
  const script = document.querySelector("script[type=module]").src;
  Object.assign(window, await import(script.replace(/pages\\/[a-z]+\\.js$/, "engine/engine.js")));
  window.failure = ({ constructor, why, message, faults }) => ({ name: constructor.name, why, message, faults });
}"""


def open_rules(player: Player) -> None:
    """Open a page that does not use the engine, and load the module into it."""
    player.go("/rules")
    player.page.evaluate(MODULE)


def test_the_engine_answers_calls_and_lists_faults(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    read = ida.page.evaluate("(position) => engine.ask('position', { position })", POSITION.to_text())
    assert (read["text"], read["to_move"]) == (POSITION.to_text(), POSITION.to_move)
    text = "kd1 2.second.random 1 place:0 - - 1-48 C;C"
    refused = ida.page.evaluate("(position) => engine.ask('position', { position }).catch(failure)", text)
    with pytest.raises(kd.SetupError) as error:
        kd.Position.parse(text)
    assert refused["name"] == "EngineRefusal"
    assert [fault["sentence"] for fault in refused["faults"]] == [str(one) for one in error.value.details]


def test_a_search_equals_the_native_engines(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    found = ida.page.evaluate(
        "(position) => searchWith([engine], { position, seed: 7, playouts: 600 })", POSITION.to_text()
    )
    search = kd.Search(POSITION, seed=7)
    search.run(playouts=600)
    ours = search.analysis()
    assert found["analysis"]["playouts"] == 600
    assert [one["action"] for one in found["analysis"]["actions"]] == [
        str(one.action) for one in ours.actions
    ]
    assert found["analysis"]["actions"][0]["playouts"] == ours.actions[0].playouts


def test_a_search_reports_stops_and_continues(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    thought = """async (position) => {
      const [stop, reports] = [new AbortController(), []];
      const report = ({ analysis }) => { if (reports.push(analysis.playouts) === 2) stop.abort(); };
      const first = await searchWith([engine], { position }, report, stop.signal);
      const answers = [];
      const again = new AbortController();
      const second = searchWith([engine], { position }, () => again.abort(), again.signal);
      answers.push(await engine.ask("dominoes", {}));
      return [reports, first, await second, answers[0].length];
    }"""
    reports, first, second, dominoes = ida.page.evaluate(thought, POSITION.to_text())
    assert reports == sorted(reports)
    assert len(reports) == 2
    assert not first["isWhole"]
    assert first["analysis"]["playouts"] >= reports[-1]
    assert second["analysis"]["playouts"] > first["analysis"]["playouts"]
    assert dominoes == 48


def test_two_engines_merge_their_trees(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    together = """async (position) => {
      const { analysis, isWhole } = await searchWith([engine, new Engine()], { position, seed: 7, playouts: 1200 });
      const trees = [];
      for (const tree of [0, 1]) {
        const search = await engine.ask("search", { position, seed: 7, tree });
        await engine.ask("run", { search, playouts: 600 });
        trees.push(...await engine.ask("sums", { search }));
      }
      return [isWhole, analysis, await engine.ask("merge", { trees })];
    }"""
    is_whole, found, merged = ida.page.evaluate(together, POSITION.to_text())
    assert is_whole
    assert found["playouts"] == 1200
    assert found == merged


def test_one_engine_solves_an_ending_for_all(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    game, bot = kd.Game(kd.Rules(players=2), seed=5), kd.bots.make("greedy")
    while game.position.round < game.rules.rounds or game.position.phase != "place":
        game.play(bot.choose(game.position))
    think = "(position) => searchWith([engine, new Engine(), new Engine()], { position })"
    found = ida.page.evaluate(think, game.position.to_text())
    search = kd.Search(game.position)
    search.run()
    assert (found["isWhole"], found["analysis"]["exact"]) == (True, True)
    assert found["analysis"]["actions"][0]["action"] == str(search.best())


def test_a_search_continues_with_fewer_engines(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    thought = """async (position) => {
      const [stop, other, reports] = [new AbortController(), new Engine(), []];
      const found = await searchWith([other, engine], { position }, (soFar) => {
        reports.push(soFar);
        if (reports.length === 2) other.close();
        if (soFar.isShort) stop.abort();
      }, stop.signal);
      return [reports.at(-1).analysis.playouts - reports[1].analysis.playouts, found];
    }"""
    more, found = ida.page.evaluate(thought, POSITION.to_text())
    assert more > 0
    assert (found["isShort"], found["isWhole"]) == (True, False)


def test_the_next_request_restarts_a_worker(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    ended = ida.page.evaluate(
        """async (position) => {
          const asked = searchWith([engine], { position }, () => engine.close()).catch(failure);
          const told = await asked;
          return [told, (await engine.ask("dominoes", {})).length];
        }""",
        POSITION.to_text(),
    )
    assert (ended[0]["why"], ended[0]["message"]) == ("died", ida.say("engine.died"))
    assert ended[1] == 48


def test_a_silent_worker_is_replaced(sit: Sit) -> None:
    ida = sit()
    ida.page.clock.install()
    ida.catch("**/engine/worker.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    open_rules(ida)
    ida.page.evaluate("() => { window.told = engine.ask('dominoes', {}).catch(failure); }")
    for _ in range(2):
        ida.page.clock.run_for(60_000)
    assert ida.page.evaluate("window.told.then(({ why }) => why)") == "died"


def test_a_slow_download_is_no_failure(sit: Sit) -> None:
    ida = sit()
    ida.page.clock.install()

    def slowly(route: Route) -> None:
        ida.page.clock.run_for(90_000)
        route.continue_()

    ida.catch("**/engine/worker.js", slowly)
    open_rules(ida)
    assert len(ida.page.evaluate("engine.ask('dominoes', {})")) == 48


TRAPPED = """
export class EngineError extends Error {}
export const instantiate = async () => () => { throw new WebAssembly.RuntimeError("unreachable"); };
"""


@pytest.mark.parametrize(
    ("file", "answer", "key"),
    [
        ("kingdomino.wasm", lambda route: route.fulfill(status=404), "engine.unbuilt"),
        ("kingdomino.wasm", lambda route: route.abort(), "engine.missing"),
        ("engine/engine.js", lambda route: route.fulfill(status=404), "engine.missing"),
        ("kingdomino.wasm", cut_short, "engine.misfit"),
        ("kingdomino.wasm", of_another_version, "engine.misfit"),
        (
            "engine/engine.js",
            lambda route: route.fulfill(body=TRAPPED, content_type="text/javascript"),
            "engine.died",
        ),
    ],
    ids=["not built", "unreachable", "no loader", "cut short", "another version", "trapped"],
)
def test_the_board_explains_a_missing_engine(sit: Sit, file: str, answer: object, key: str) -> None:
    ida = sit()
    ida.trouble.forgive("404|ERR_FAILED|Failed to (load|fetch)|wasm")
    ida.catch(re.compile(rf"/static/\w+/{'engine/' if '/' not in file else ''}{file}$"), answer)  # type: ignore[arg-type]
    ida.go("/analysis")
    expect(ida.page.locator("#refused")).to_have_text(ida.say(key), timeout=THINKING)
    expect(ida.page.locator(".wordmark")).to_be_visible()
    ida.page.locator(".wordmark").click()
    expect(ida.button("home.play")).to_be_enabled()


def test_a_browser_without_webassembly_gets_a_sentence(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script("delete globalThis.WebAssembly")
    ida.go("/analysis")
    expect(ida.page.locator("#refused")).to_have_text(ida.say("engine.none"))


def test_scripts_of_another_version_get_a_sentence(sit: Sit) -> None:
    ida = sit()
    open_rules(ida)
    for call in ("'dance', {}", "'position', { text: '' }"):
        refused: Json = ida.page.evaluate(f"engine.ask({call}).catch(failure)")
        assert (refused["name"], refused["message"]) == ("NoEngine", ida.say("engine.misfit"))
