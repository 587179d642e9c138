"""The OpenAPI document, including the refusals of every route.

A route declares its own refusals with `refusals`. `Application` adds the refusals of the middleware, the router and the
route's dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from fastapi import FastAPI
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts

from kingdomino.server.http import dependencies, middleware, overload
from kingdomino.server.tables.core.refusals import STATUS, RefusalBody

__all__ = ["Application", "refusals"]

_Responses: TypeAlias = dict[int | str, dict[str, Any]]
_HEADERS: Final[dict[int, dict[str, Any]]] = {
    405: {"Allow": {"description": "the methods of this path", "schema": {"type": "string"}}},
    429: {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}},
    503: {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}},
}


class Application(FastAPI):
    """A FastAPI application whose document lists every refusal of every route."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  (they are FastAPI's)
        # This adds our model to the document and replaces FastAPI's own answer 422.
        super().__init__(**options, responses={422: {"model": RefusalBody}})

    def openapi(self) -> dict[str, Any]:
        """Return the document, built on the first call."""
        is_new = self.openapi_schema is None
        document = super().openapi()
        if is_new:
            for route in iter_route_contexts(self.routes):
                if isinstance(route.original_route, APIRoute) and route.include_in_schema:
                    for method in route.methods or ():
                        _add_refusals(document["paths"][route.path_format][method.lower()], route, method)
        return document


def refusals(*codes: str) -> _Responses:
    """Document refusals, grouped by status."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(set(codes)):
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        status: {
            "description": f"{HTTPStatus(status).phrase}: {', '.join(named)}",
            "headers": _HEADERS.get(status, {}),
            "content": {"application/json": {"schema": _body(named)}},
        }
        for status, named in sorted(by_status.items())
    }


def _body(codes: list[str]) -> dict[str, Any]:
    return {
        "allOf": [{"$ref": f"#/components/schemas/{RefusalBody.__name__}"}],
        "properties": {"code": {"enum": codes}},
    }


def _add_refusals(operation: dict[str, Any], route: RouteContext, method: str) -> None:
    answers: dict[str, Any] = operation["responses"]
    declared = [code for status, answer in answers.items() if status >= "4" for code in _codes(answer)]
    success = {status: answer for status, answer in answers.items() if status < "4"}
    added = refusals(*declared, *_of_surroundings(operation, route, method))
    operation["responses"] = success | {str(status): answer for status, answer in added.items()}


def _codes(answer: dict[str, Any]) -> Iterable[str]:
    """Read the codes that `refusals` wrote; FastAPI's own answers have none."""
    schemas = (content["schema"] for content in answer["content"].values())
    return [
        code for schema in schemas for code in schema.get("properties", {}).get("code", {}).get("enum", ())
    ]


def _of_surroundings(operation: dict[str, Any], route: RouteContext, method: str) -> Iterator[str]:
    yield "no_method"
    yield from middleware.may_refuse(method, route.path_format or "")
    if overload.may_refuse(route.path_format or ""):
        yield "busy"
    if dependencies.needs_registry(route.dependant):
        yield "storage"
    if "requestBody" in operation:
        yield from ("bad_request", "bad_field")
    if any(_can_be_bad(parameter["schema"]) for parameter in operation.get("parameters", ())):
        yield "bad_field"


def _can_be_bad(schema: dict[str, Any]) -> bool:
    return {key: value for key, value in schema.items() if key != "title"} != {"type": "string"}
