"""Small: what the browser loads."""

from __future__ import annotations

import httpx

from browser.served import Served
from kingdomino.server.http.routes.pages import ART, STATIC

LIMIT = 200 * 1024


def test_script_style_and_art_together_stay_under_200_kb_as_they_are_sent(served: Served) -> None:
    files = [f"/static/{file.relative_to(STATIC)}" for file in STATIC.rglob("*.*")]
    files += [f"/art/{file.name}" for file in ART.iterdir()]
    sizes = {}
    with httpx.Client(base_url=served.address, headers={"accept-encoding": "gzip"}) as client:
        for file in files:
            if file.endswith((".js", ".css", ".svg")):
                with client.stream("GET", file) as answer:
                    sizes[file] = sum(map(len, answer.raise_for_status().iter_raw()))
    assert len(sizes) > 30
    assert sum(sizes.values()) <= LIMIT, sorted(sizes.items(), key=lambda item: -item[1])
