"""The compressed size of a first visit."""

from __future__ import annotations

from playwright.sync_api import Page, Request, expect

from browser.player import Sit

HOME = 80 * 1024
TABLE = 100 * 1024
BOT = {"kind": "bot", "bot": "greedy"}


class Wire:
    """Adds up a page's downloads, without fonts and the list of tables, which other tests make longer."""

    def __init__(self, page: Page) -> None:
        self.sizes: dict[str, int] = {}
        page.on("requestfinished", self._add)

    def _add(self, request: Request) -> None:
        is_counted = request.resource_type != "font" and not request.url.endswith("/api/tables")
        if is_counted and request.url.startswith("http"):
            sizes = request.sizes()
            whole = sizes["responseHeadersSize"] + sizes["responseBodySize"]
            self.sizes[request.url] = self.sizes.get(request.url, 0) + whole

    @property
    def total(self) -> int:
        """Bytes so far."""
        return sum(self.sizes.values())

    @property
    def largest(self) -> list[tuple[int, str]]:
        """The largest files."""
        return sorted(((size, url) for url, size in self.sizes.items()), reverse=True)[:12]


def test_home_takes_80_kb_and_a_table_100_kb_more(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT)
    wire = Wire(ida.page)
    ida.go()
    expect(ida.page.locator("#picture .fan")).to_be_visible()
    ida.page.wait_for_load_state("networkidle")
    home = wire.total
    assert 20_000 < home <= HOME, wire.largest
    ida.go(f"/t/{table}")
    ida.task()
    ida.page.wait_for_load_state("networkidle")
    assert 10_000 < wire.total - home <= TABLE, wire.largest


def test_a_second_visit_downloads_nothing(sit: Sit) -> None:
    ida = sit()
    ida.go()
    expect(ida.page.locator("#picture .fan")).to_be_visible()
    ida.go()
    expect(ida.page.locator("#picture .fan")).to_be_visible()
    loaded = ida.page.evaluate("""() => performance.getEntriesByType("resource")
      .filter(({ name, transferSize }) => name.includes("/static/") && transferSize > 0)
      .map(({ name }) => name)""")
    assert loaded == []


def test_only_names_need_the_rest_of_the_letters(sit: Sit) -> None:
    ida = sit()
    fonts: list[str] = []
    ida.page.on(
        "request", lambda request: fonts.append(request.url) if request.resource_type == "font" else None
    )
    ida.go()
    expect(ida.page.locator("#picture .fan")).to_be_visible()
    ida.page.evaluate("document.fonts.ready.then(() => null)")
    assert not [url for url in fonts if "extended" in url]
    with ida.page.expect_request("**/book-bold-extended.woff2"):
        ida.page.evaluate("document.querySelector('h1').textContent = 'Łukasz'")
