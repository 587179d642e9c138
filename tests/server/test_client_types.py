"""The browser client's types match the OpenAPI document."""

from tools.client_types import TYPES, types


def test_the_types_of_the_client_match_the_document() -> None:
    assert TYPES.read_text(encoding="utf-8") == types(), "run: .venv/bin/python -m tools.client_types"
