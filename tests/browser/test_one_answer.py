"""The engine in a page: the same answers as Python's, to the last bit."""

from __future__ import annotations

import re
from pathlib import Path

from support import engine_answers

from browser.player import Player, Sit
from kingdomino.server.http import release

_ANSWERS = Path(engine_answers.__file__).with_suffix(".js").read_text("utf-8")
_RUN = """async ([work, folder]) => {
  const { instantiate } = await import(`${folder}/engine.js`);
  const module = await WebAssembly.compileStreaming(fetch(`${folder}/kingdomino.wasm`));
  return answers(await instantiate(module), work);
}"""


def test_the_page_and_python_agree_to_the_last_bit(sit: Sit) -> None:
    player: Player = sit()
    player.go("/")
    work = engine_answers.some_work(games=20, searches=20, reviews=4)
    answers = re.sub(r"^export ", "", _ANSWERS, flags=re.MULTILINE)
    run = f"(asked) => {{ {answers}; return ({_RUN})(asked); }}"
    found = player.page.evaluate(run, [work, f"/static/{release.VERSION}/engine"])
    assert engine_answers.read(found) == engine_answers.answers_of_python(work)
