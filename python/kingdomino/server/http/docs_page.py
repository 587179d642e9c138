"""The page at /docs: every route and field of the API, written out from the OpenAPI document.

It needs no script and nothing from another host. Its frame is docs_page.html.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final, TypeAlias

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

__all__ = ["EXAMPLE", "add", "page"]

_Json: TypeAlias = Mapping[str, Any]

EXAMPLE: Final = """\
import time
import httpx

server = httpx.Client(base_url="ADDRESS")
table = server.post("/api/tables", json={}).json()["table"]  # you against a bot
here = f"/api/tables/{table['id']}"
while table["state"] == "playing":
    ply = table["turn"]["ply"]
    if table["turn"]["seat"] == 0:
        choices = server.get(f"{here}/choices", params={"ply": ply}).json()
        possible = choices["placements"] + choices["claims"]
        best = max(possible, key=lambda choice: choice["points"], default={"action": "discard"})
        server.post(f"{here}/actions", json={"ply": ply, "actions": [best["action"]]})
    else:
        time.sleep(0.2)
    table = server.get(here).json()["table"]
print([score["total"] for score in table["finished"]["scores"]])
"""
"""A whole game, played by a program. ADDRESS is put in by the page."""

_PAGE: Final = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))


def add(app: FastAPI) -> None:
    """Serve the page at /docs."""

    async def docs(request: Request) -> HTMLResponse:
        return HTMLResponse(page(app.openapi(), str(request.base_url).rstrip("/")))

    app.add_api_route("/docs", docs, include_in_schema=False)


def page(document: _Json, address: str) -> str:
    """Write an OpenAPI document out as a page of HTML."""
    groups: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            tag = operation.get("tags", ["more"])[0]
            groups.setdefault(tag, []).append(_route(method, path, operation))
    names = [*groups, "socket", "types"]
    types = document.get("components", {}).get("schemas", {})
    return _PAGE.substitute(
        title=escape(document["info"]["title"]),
        links="".join(f'<a href="#{_slug(name)}">{escape(name.capitalize())}</a>' for name in names),
        intro=_prose(document["info"].get("description", "")),
        example=escape(EXAMPLE.replace("ADDRESS", address)),
        routes="\n".join(_group(tag, routes) for tag, routes in groups.items()),
        types="\n".join(_type_entry(name, schema) for name, schema in types.items()),
    )


def _group(tag: str, routes: Sequence[str]) -> str:
    name = _slug(tag)
    head = f'<section id="{name}" aria-labelledby="{name}-head"><h2 id="{name}-head">'
    return "\n".join((f"{head}{escape(tag.capitalize())}</h2>", *routes, "</section>"))


def _route(method: str, path: str, operation: _Json) -> str:
    parts = [
        f'<article class="sheet route"><h3><span class="method">{method.upper()}</span>',
        f" <code>{escape(path)}</code></h3>",
        _prose(operation.get("description", operation.get("summary", ""))),
    ]
    if parameters := operation.get("parameters"):
        rows = (
            (
                f"<code>{escape(each['name'])}</code> <small>{each['in']}</small>",
                _described(each["schema"], each.get("description"), required=each.get("required", False)),
            )
            for each in parameters
        )
        parts.append(_rows("It takes", rows))
    if body := operation.get("requestBody"):
        parts.append(f"<p>The body: {_content(body)}.</p>")
    for status, answer in sorted(operation.get("responses", {}).items()):
        if status.startswith("2"):
            parts.append(f"<p>It answers <code>{status}</code>: {_content(answer) or 'nothing'}.</p>")
    if refusals := _refusals(operation.get("responses", {})):
        parts.append(f"<p>It may refuse: {refusals}.</p>")
    return "".join((*parts, "</article>"))


def _refusals(responses: _Json) -> str:
    """List statuses with their codes, which stand in the descriptions: ``Conflict: stale_ply, not_over``."""
    codes = (
        f"<code>{status}</code> {escape(answer['description'].partition(': ')[2])}"
        for status, answer in sorted(responses.items())
        if ": " in answer["description"]
    )
    return "; ".join(codes)


def _content(holder: _Json) -> str:
    return " or ".join(
        _name(content["schema"]) if content.get("schema") and kind == "application/json" else escape(kind)
        for kind, content in holder.get("content", {}).items()
    )


def _type_entry(name: str, schema: _Json) -> str:
    rows = (
        (
            f"<code>{escape(field)}</code>",
            _described(value, value.get("description"), required=field in schema.get("required", [])),
        )
        for field, value in schema.get("properties", {}).items()
    )
    more = "<p>And more fields.</p>" if schema.get("additionalProperties") is True else ""
    return (
        f'<article class="sheet type" id="{_slug(name)}"><h3>{escape(name)}</h3>'
        f"{_prose(schema.get('description', ''))}{_rows('Its fields', rows)}{more}</article>"
    )


def _described(schema: _Json, description: str | None, *, required: bool) -> str:
    said = [_name(schema)]
    if "default" in schema and schema["default"] is not None:
        said.append(f"<code>{escape(json.dumps(schema['default']))}</code> if left out")
    elif not required:
        said.append("may be left out")
    if description:
        said.append(_inline(description))
    if examples := schema.get("examples"):
        said.append("like " + ", ".join(f"<code>{escape(json.dumps(each))}</code>" for each in examples))
    return "; ".join(said)


def _name(schema: _Json) -> str:
    """Put a type into words: ``list of SeatWish, at most 4``."""
    return ", ".join((_kind(schema), *_bounds(schema)))


def _kind(schema: _Json) -> str:
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f'<a href="#{_slug(name)}">{escape(name)}</a>'
    if choices := schema.get("anyOf"):
        return " or ".join(_name(each) for each in choices)
    if "const" in schema or "enum" in schema:
        values = schema.get("enum") or [schema["const"]]
        return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    if parts := schema.get("prefixItems"):
        return f"[{', '.join(_kind(part) for part in parts)}]"
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return escape(str(schema.get("type", "anything")))


def _bounds(schema: _Json) -> Iterator[str]:
    for least, most, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " letters"),
        ("minItems", "maxItems", " entries"),
    ):
        low, high = schema.get(least), schema.get(most)
        if schema.get("prefixItems"):
            continue
        if low is not None and high is not None:
            yield f"{_number(low)} to {_number(high)}{unit}"
        elif low is not None:
            yield f"at least {_number(low)}{unit}"
        elif high is not None:
            yield f"at most {_number(high)}{unit}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _rows(caption: str, rows: Iterable[tuple[str, str]]) -> str:
    body = "".join(f'<tr><th scope="row">{name}</th><td>{text}</td></tr>' for name, text in rows)
    return f"<table><caption>{caption}</caption><tbody>{body}</tbody></table>" if body else ""


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in text.strip().split("\n\n") if paragraph)


def _inline(text: str) -> str:
    """Keep the code in a text as code: what stands between one or two backticks."""
    return re.sub(r"(`{1,2})([^`]+)\1", r"<code>\2</code>", escape(text))


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name)
