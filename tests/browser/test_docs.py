"""The reference of the API at /docs/http/: complete, with a first program, and nothing from another host.

`sit` fails a test whose page contacts another host or breaks the security policy of the site.
"""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from browser.player import Sit
from browser.served import Served

SHOWN = """(names) => {
  const shown = (window.shown ??= new Set());
  const titles = [...document.querySelectorAll(".models article .json-schema-2020-12__title")];
  titles.forEach((title) => shown.add(title.textContent));
  titles.at(-1)?.scrollIntoView();
  return names.every((name) => shown.has(name));
}"""
"""Whether all types have appeared. Beyond 100, only those near the viewport are drawn, so this scrolls."""


def test_the_reference_has_every_route_and_type(sit: Sit, served: Served) -> None:
    document = httpx.get(f"{served.address}/openapi.json").json()
    page = sit().page
    page.goto(f"{served.address}/docs/http/")
    for path, operations in document["paths"].items():
        for method in operations:
            route = page.locator(f".opblock-{method}", has=page.locator(f'[data-path="{path}"]'))
            expect(route).to_have_count(1)
    page.locator(".opblock-get", has=page.locator('[data-path="/api/bots"]')).locator("button").first.click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table tbody .response-col_status")).to_have_text("200")
    page.get_by_role("button", name="Schemas").click()
    page.wait_for_function(SHOWN, arg=list(document["components"]["schemas"]))


def test_the_program_on_the_page_plays_a_whole_game(served: Served) -> None:
    description = httpx.get(f"{served.address}/openapi.json").json()["info"]["description"]
    (program,) = re.findall(r"```python\n(.*?)```", description, re.DOTALL)
    told: list[list[int]] = []
    address = "http://127.0.0.1:8000"
    assert address in program
    exec(program.replace(address, served.address), {"print": told.append})
    assert [len(scores) for scores in told] == [2]
