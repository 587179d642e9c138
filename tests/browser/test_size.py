"""Small: what the browser loads."""

from __future__ import annotations

import httpx

from browser.served import Served
from kingdomino.server.http.assets import ART, STATIC

LIMIT = 200 * 1024


def test_script_style_and_art_together_stay_under_200_kb(served: Served) -> None:
    files = [f"/static/{file.relative_to(STATIC)}" for file in STATIC.rglob("*.*")]
    files += [f"/art/{file.name}" for file in ART.iterdir()]
    with httpx.Client(base_url=served.address, headers={"accept-encoding": "identity"}) as client:
        sizes = {
            file: len(client.get(file).raise_for_status().content)
            for file in files
            if file.endswith((".js", ".css", ".svg"))
        }
    assert len(sizes) > 30
    assert sum(sizes.values()) <= LIMIT, sorted(sizes.items(), key=lambda item: -item[1])
