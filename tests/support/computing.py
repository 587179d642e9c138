"""Finds Python code that computes with kings, rounds and the length of lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

FACTS: Final = {"kings", "rounds", "line_length"}
LINES: Final = {"line", "next_line", "offered", "to_draw", "kings_to_draw"}
_CHOOSING: Final = {"int", "abs", "min", "max"}
"""Functions that return an argument: a limit is not a computation, but its result is still a fact."""
_COPYING: Final = {"tuple", "list", "sorted", "reversed", "set", "frozenset"}
_COUNTING: Final = {
    "range",
    "slice",
    "islice",
    "batched",
    "repeat",
    "divmod",
    "pow",
    "sum",
    "prod",
    "reduce",
    "round",
}
_MODULES: Final = {"math", "operator", "np", "numpy", "jnp"}


def computing(source: str) -> list[str]:
    """Return the expressions that compute with a fact of the rules, or with a name that holds one.

    These are arithmetic, slices, indices, counted loops, calls of `math` and the like, and comparisons with a number
    other than 0. Comparisons with anything else are allowed, and so are `min` and `max`.
    """
    tree = ast.parse(source)
    names = _Names(tree)
    return [ast.unparse(node) for node in ast.walk(tree) if any(map(names.is_fact, _operands(node)))]


class _Names:
    """The names and attributes of a module that hold facts, and those that hold lines."""

    def __init__(self, tree: ast.Module) -> None:
        bindings = [pair for node in ast.walk(tree) for pair in _bindings(node)]
        self.facts = {f".{name}" for name in FACTS} | set(_parameters(tree))
        self.lines = {f".{name}" for name in LINES}
        known = -1
        while known < len(self.facts) + len(self.lines):
            known = len(self.facts) + len(self.lines)
            self.facts |= {name for name, value in bindings if name and self.is_fact(value)}
            self.lines |= {name for name, value in bindings if name and self.is_line(value)}

    def is_fact(self, node: ast.expr) -> bool:
        match node:
            case ast.Name() | ast.Attribute() | ast.Subscript(slice=ast.Constant(value=str())):
                return _name(node) in self.facts
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.is_fact(value)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_fact(body) or self.is_fact(orelse)
            case ast.BoolOp(values=values):
                return any(map(self.is_fact, values))
            case ast.Call(func=ast.Name(id="len"), args=[line]):
                return self.is_line(line)
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
                return name in FACTS
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _CHOOSING:
                return any(map(self.is_fact, arguments))
            case ast.Call(func=function) if f"{_name(function)}()" in self.facts:
                return True
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return any(map(self.is_fact, elements))
            case ast.GeneratorExp(generators=[ast.comprehension(iter=line)], elt=ast.Constant()):
                return self.is_line(line)
            case _:
                return False

    def is_line(self, node: ast.expr) -> bool:
        match node:
            case ast.Name() | ast.Attribute():
                return _name(node) in self.lines
            case ast.NamedExpr(value=value):
                return self.is_line(value)
            case ast.Call(func=ast.Name(id=name), args=[line, *_]) if name in _COPYING:
                return self.is_line(line)
            case _:
                return False


def _name(node: ast.expr) -> str:
    """Return the name of a variable, or of an attribute or a string key after a dot; empty for other expressions."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return f".{name}"
        case _:
            return ""


def _operands(node: ast.AST) -> list[ast.expr]:
    """Return the operands of a node if it computes with them."""
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.AugAssign(target=target, value=value):
            return [target, value]
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
            return [operand]
        case ast.Slice(lower=lower, upper=upper, step=step):
            return [part for part in (lower, upper, step) if part]
        case ast.Subscript(slice=index):
            return [index]
        case ast.Compare(left=left, comparators=others) if any(map(_is_number, (left, *others))):
            return [left, *others]
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=arguments) if name.startswith("__"):
            return [value, *arguments]
        case ast.Call(func=function, args=arguments, keywords=keywords) if _counts(function):
            return [*arguments, *(keyword.value for keyword in keywords)]
        case _:
            return []


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int(number)):
            return number != 0
        case ast.Set(elts=elements) | ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(map(_is_number, elements))
        case _:
            return False


def _counts(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in _COUNTING
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return module in _MODULES or name in _COUNTING
        case _:
            return False


def _parameters(tree: ast.Module) -> Iterator[str]:
    """Yield the parameters that are numbers and have the name of a fact."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name, annotation=None | ast.Name(id="int")) if name in FACTS:
                yield name


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a node binds, each with its value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
                if isinstance(value, ast.Lambda):
                    yield f"{_name(target)}()", value.body
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            for part in ast.walk(node):
                if isinstance(part, ast.Return) and part.value:
                    yield from ((form, part.value) for form in (f"{name}()", f".{name}()", f".{name}"))
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield f".{key.value}", value
        case ast.keyword(arg=str(name), value=value):
            yield f".{name}", value
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
        ):
            yield _name(target), value
        case (
            ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values))
            | ast.comprehension(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values))
        ):
            for value in values:
                yield from _pairs(target, value)
        case ast.arguments(
            posonlyargs=first, args=then, defaults=defaults, kwonlyargs=last, kw_defaults=others
        ):
            named = [*first, *then]
            last_named = named[len(named) - len(defaults) :]
            for parameter, default in zip([*last_named, *last], [*defaults, *others], strict=True):
                if default is not None:
                    yield parameter.arg, default
        case ast.MatchClass(kwd_attrs=attributes, kwd_patterns=patterns):
            for attribute, pattern in zip(attributes, patterns, strict=True):
                if isinstance(pattern, ast.MatchAs) and pattern.name:
                    yield pattern.name, ast.Attribute(value=ast.Name(id="_"), attr=attribute)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values):
            for one, other in zip(targets, values, strict=False):
                yield from _pairs(one, other)
        case _:
            yield _name(target), value
