"""The rules exist once, in Rust: outside `crates/` no code computes with kings, rounds and the length of lines.

Tests and benches, which check the engine, may.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from support.node import run_node

from kingdomino import server

ROOT: Final = Path(__file__).parents[1]
SCRIPTS: Final = Path(server.__file__).parent / "static/js"
TYPESCRIPT: Final = Path(sys.executable).parents[1] / "node/node_modules/typescript/lib/typescript.js"
FACTS: Final = {"kings", "rounds", "line_length"}
LINES: Final = {"line", "next_line", "offered"}
ALLOWED: Final = {
    "python/kingdomino/envs/rendering.py": "the height of a picture",
    "python/kingdomino/examples/policy_gradient.py": "the scale of a feature",
    "python/kingdomino/svg/positions.py": "a dot for each round",
}
ALLOWED_SCRIPTS: Final = {
    "table/deal.js": "draws the deal by itself, to check the server",
}


def computing(source: str) -> Iterator[str]:
    """Yield the expressions that compute with a fact of the rules, or with a variable that holds one."""
    tree = ast.parse(source)
    names = {name for node in ast.walk(tree) if isinstance(node, ast.Assign) for name in _bound(node)}
    for node in ast.walk(tree):
        if any(_is_fact(operand, names) for operand in _operands(node)):
            yield ast.unparse(node)


def _operands(node: ast.AST) -> tuple[ast.expr | None, ...]:
    match node:
        case ast.BinOp(left=left, right=right):
            return left, right
        case ast.AugAssign(target=target, value=value):
            return target, value
        case ast.Slice(lower=lower, upper=upper, step=step):
            return lower, upper, step
        case _:
            return ()


def _bound(node: ast.Assign) -> Iterator[str]:
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=False))
        for name, value in pairs:
            if isinstance(name, ast.Name) and _is_fact(value, set()):
                yield name.id


def _is_fact(node: ast.expr | None, names: set[str]) -> bool:
    match node:
        case ast.Attribute(attr=attribute):
            return attribute in FACTS
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr=attribute)]):
            return attribute in LINES
        case _:
            return False


def test_a_computation_with_the_rules_is_found() -> None:
    assert list(computing("a = rules.kings * players")) == ["rules.kings * players"]
    assert list(computing("n, m = rules.line_length, 2\ndeck[i : i + n]")) == ["i + n"]
    assert list(computing("left = len(position.line) - 1")) == ["len(position.line) - 1"]
    assert list(computing("is_last = position.round == rules.rounds")) == []


def test_python_computes_nothing_from_the_rules() -> None:
    files = [file for folder in ("python", "tools") for file in (ROOT / folder).rglob("*.py")]
    found = {
        str(file.relative_to(ROOT)) for file in files if any(computing(file.read_text(encoding="utf-8")))
    }
    assert found == ALLOWED.keys()


_COMPUTING: Final = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const ts = createRequire(import.meta.url)(typescript);
const { files } = JSON.parse(readFileSync(0, "utf8"));
const isFact = (node) =>
  ts.isPropertyAccessExpression(node) ? /(rules|facts)\\.(kings|rounds|line)$/.test(node.getText())
    : ts.isIdentifier(node) && ["kings", "rounds"].includes(node.text);
const isArithmetic = ({ kind }) => (kind >= ts.SyntaxKind.PlusToken && kind <= ts.SyntaxKind.PercentToken)
  || (kind >= ts.SyntaxKind.PlusEqualsToken && kind <= ts.SyntaxKind.PercentEqualsToken);
const computes = (node) => Boolean((ts.isBinaryExpression(node) && isArithmetic(node.operatorToken)
  && [node.left, node.right].some(isFact)) || ts.forEachChild(node, computes));
console.log(JSON.stringify(files.filter((file) =>
  computes(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)))));
"""


def test_the_page_computes_nothing_from_the_rules() -> None:
    files = {str(file): str(file.relative_to(SCRIPTS)) for file in SCRIPTS.rglob("*.js")}
    script = f"const typescript = {str(TYPESCRIPT)!r};{_COMPUTING}"
    found = run_node(script, {"files": list(files)})
    assert {files[file] for file in found} == ALLOWED_SCRIPTS.keys()
