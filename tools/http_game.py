"""Plays a whole game over HTTP against a bot: `python3 tools/http_game.py http://127.0.0.1:8000/`.

It needs only Python, and always takes the first of its choices.
"""

from __future__ import annotations

import json
import sys
import time
from http.cookiejar import CookieJar
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

LIMIT = 300.0
"""Seconds for the whole game."""


def play(address: str) -> list[int]:
    """Play the game and return the total of each seat."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def call(path: str, body: object = None) -> Any:  # noqa: ANN401  # JSON
        content = None if body is None else json.dumps(body).encode()
        request = Request(address + path, content, {"Content-Type": "application/json"})
        with browser.open(request, timeout=LIMIT) as answer:
            return json.load(answer)

    bot = call("api/bots")[0]["bot"]
    seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
    table = call("api/tables", {"players": 2, "seats": seats})["table"]
    path, deadline = f"api/tables/{table['id']}", time.monotonic() + LIMIT
    while not table["finished"]:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the game was not over after {LIMIT:g} seconds")
        turn = table["turn"]
        if turn and turn["seat"] == 0:
            choices = call(f"{path}/choices?ply={turn['ply']}")
            offered = [*choices["placements"], *choices["claims"]]
            action = offered[0]["action"] if offered else "discard"
            call(f"{path}/actions", {"ply": turn["ply"], "actions": [action]})
        else:
            time.sleep(0.05)  # the bot's turn
        table = call(path)["table"]
    return [kingdom["score"]["total"] for kingdom in table["kingdoms"]]


if __name__ == "__main__":
    print("the game is over:", " to ".join(map(str, play(sys.argv[1]))))
