"""Copies the engine's docstrings into its stub, where editors look for them: `python -m tools.stub_docs`.

The docstrings have a single source, crates/python/src. `make format` runs this.
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

from kingdomino import _core

STUB = Path(_core.__file__).with_name("_core.pyi")
_Node = ast.ClassDef | ast.FunctionDef


def documented(stub: str) -> str:
    """Return the stub with its docstrings replaced by the engine's."""
    lines = stub.splitlines()
    for node, doc in reversed(list(_docs(ast.parse(stub)))):
        indent = " " * (node.col_offset + 4)
        space = " " if doc.startswith('"') else ""  # in the formatter's style
        closing = f'\n{indent}"""' if "\n" in doc else '"""'
        text = "\n".join(f"{indent}{line}".rstrip() for line in f'"""{space}{doc}'.splitlines()) + closing
        first = node.body[0]
        start, end = first.lineno - 1, first.end_lineno
        if ast.get_docstring(node) is not None:
            lines[start:end] = text.splitlines()
        elif isinstance(node, ast.ClassDef):
            start -= len(first.decorator_list) if isinstance(first, _Node) else 0
            lines[start:start] = text.splitlines()
        else:
            signature, _, comment = lines[start].partition(": ...")
            lines[start:end] = [f"{signature}:{comment}", *text.splitlines()]
    return "\n".join(lines) + "\n"


def _docs(module: ast.Module) -> Iterator[tuple[_Node, str]]:
    """Yield each declaration of the stub with a docstring in the engine, in the order of the stub."""
    for node in module.body:
        if isinstance(node, _Node) and not node.name.startswith("_"):
            value = getattr(_core, node.name)
            yield from _doc(node, value)
            for member in node.body if isinstance(node, ast.ClassDef) else []:
                is_special = isinstance(member, _Node) and member.name.startswith("_")
                if isinstance(member, _Node) and not is_special:
                    yield from _doc(member, getattr(value, member.name))


def _doc(node: _Node, value: object) -> Iterator[tuple[_Node, str]]:
    if doc := inspect.getdoc(value):
        yield node, doc


if __name__ == "__main__":
    STUB.write_text(documented(STUB.read_text(encoding="utf-8")), encoding="utf-8")
