"""The page at /docs: everything of the OpenAPI document, and nothing from another host."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from kingdomino.server.http import docs_page
from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return create_app(Settings()).openapi()


@pytest.fixture(scope="module")
def page(document: dict[str, Any]) -> str:
    return docs_page.page(document, "http://here:8000")


class Tags(HTMLParser):
    """Collects what a page is made of, and that every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_route_every_field_and_every_type_is_there(document: dict[str, Any], page: str) -> None:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert f'<span class="method">{method.upper()}</span> <code>{path}</code>' in page
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code> <small>{parameter['in']}</small>" in page
    for name, schema in document["components"]["schemas"].items():
        assert f'id="{name}"' in page
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in page


def test_every_refusal_is_told(document: dict[str, Any], page: str) -> None:
    laying = page.partition('<span class="method">POST</span> <code>/api/tables</code>')[2].partition(
        "</article>"
    )[0]
    assert 'It answers <code>201</code>: <a href="#Seen">Seen</a>.' in laying
    assert "<code>422</code> bad_bot, bad_field, bad_rules" in laying
    assert document["paths"]["/api/tables"]["post"]["responses"].keys() >= {"201", "409", "422", "503"}


def test_the_example_is_a_program(page: str) -> None:
    compile(docs_page.EXAMPLE, "example", "exec")
    assert "http://here:8000" in page


def test_every_link_on_the_page_leads_somewhere(page: str) -> None:
    tags = Tags(page)
    assert tags.open == []
    targets = {value for _, name, value in tags.attributes if name == "id"}
    secrets = {value for _, name, value in tags.attributes if name == "href"}
    assert {link[1:] for link in secrets if link.startswith("#")} <= targets
    assert all(link.startswith(("#", "/")) for link in secrets)


def test_nothing_is_loaded_from_another_host_and_nothing_is_inline(page: str) -> None:
    tags = Tags(page)
    for tag, name, value in tags.attributes:
        assert tag not in ("script", "style")
        assert name != "style"
        assert not name.startswith("on")
        if name in ("src", "href"):
            assert value.startswith(("/", "#"))


def test_types_are_put_into_words() -> None:
    document = {
        "info": {"title": "House & Garden", "description": "Use `<b>`."},
        "paths": {},
        "components": {
            "schemas": {
                "Wish": {
                    "properties": {
                        "players": {"type": "integer", "minimum": 2, "maximum": 4, "default": 2},
                        "seats": {"type": "array", "items": {"$ref": "#/x/Wish"}, "maxItems": 4},
                        "name": {"anyOf": [{"type": "string", "maxLength": 24}, {"type": "null"}]},
                        "at": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}]},
                        "edition": {"enum": ["first", "second"], "type": "string"},
                    },
                    "required": ["seats", "name", "at", "edition"],
                }
            }
        },
    }
    page = docs_page.page(document, "http://here")
    text = re.sub(r"<[^>]+>", " ", page.replace("</td></tr>", "\n"))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in (
        "House &amp; Garden",
        "Use &lt;b&gt; .",
        "Its fields players integer, 2 to 4; 2 if left out",
        "seats list of Wish , at most 4 entries",
        "name string, at most 24 letters or null",
        "at [integer, integer]",
        "edition &quot;first&quot; or &quot;second&quot;",
    ):
        assert any(line in found for found in lines), line
