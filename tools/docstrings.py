"""Converts docstrings to Markdown for the reference of the site (an extension of Griffe, named in zensical.toml).

In the sources a parameter or a field is a line ``name: description``, an example begins with ``>>> ``, and `Name` is a
public name. In the site, parameters become a list, examples become code, and names become links.
"""

import re
from copy import copy
from textwrap import dedent
from typing import Final

import griffe

import kingdomino as kd

_FIELD: Final = re.compile(r"(\*{0,2}[a-z_]\w*(?:, \*{0,2}[a-z_]\w*)*): (.+)")
_EXAMPLE: Final = re.compile(r"^ *>>> .*(?:\n.*\S.*)*", re.MULTILINE)
_NAME: Final = re.compile(r"(?<![`\[])`([A-Z]\w+)`(?!`)")


class Markdown(griffe.Extension):
    """Rewrites the docstrings after Griffe has read the package."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: object) -> None:
        """Rewrite all docstrings, and show each module's names as Python imports them."""
        _rewrite(pkg)
        loader.resolve_aliases()
        _import(pkg)


def _rewrite(obj: griffe.Object) -> None:
    """Rewrite the docstrings of an object and its members; remove special methods except the constructor."""
    if obj.is_class:
        constructor = obj.members.get("__init__") or obj.members.get("__new__")
        for name in [name for name in obj.members if name.startswith("__")]:
            del obj.members[name]
        if constructor:
            constructor.name = "__init__"
            obj.members["__init__"] = constructor
    if obj.docstring:
        obj.docstring.value = _linked(_listed(_fenced(obj.docstring.value)), obj.name)
    for member in obj.members.values():
        if isinstance(member, griffe.Object):
            _rewrite(member)


def _import(package: griffe.Module) -> None:
    """Replace modules by functions with the same name, and assignments ``f = object.f`` by the object's methods."""
    exports = package.exports or ()
    for name, module in list(package.modules.items()):
        if module.is_alias:
            continue
        _import(module)
        if name in exports and name in module.members:
            package.set_member(name, module.members[name])
    for name, attribute in list(package.attributes.items()):
        if name in exports and str(attribute.value) == f"_registry.{name}":
            method = copy(package["registry.Registry"][name])
            method.parameters = griffe.Parameters(*list(method.parameters)[1:])  # without self
            package.set_member(name, method)


def _fenced(text: str) -> str:
    """Put a fence around each example up to an empty line; without it, Markdown would see quotations."""
    return _EXAMPLE.sub(lambda example: f"```pycon\n{dedent(example[0])}\n```", text)


def _listed(text: str) -> str:
    """Make a list of lines like ``name: description``, each with its further indented continuation lines."""
    lines, in_list, in_example = list[str](), False, False
    for line in text.splitlines():
        in_example = line.lstrip().startswith(">>> ") or (in_example and line.strip() != "")
        field = None if in_example else _FIELD.fullmatch(line)
        if field and (in_list or lines[-1:] in ([], [""])):
            lines += [] if in_list else [""]
            names = ", ".join(f"`{name}`" for name in field[1].split(", "))
            lines.append(f"- {names}: {field[2]}")
            in_list = True
        elif in_list and line.startswith("    "):
            lines.append(f"  {line.strip()}")
        else:
            if in_list and line:
                lines.append("")
            in_list = in_list and not line
            lines.append(line)
    return "\n".join(lines)


def _linked(text: str, own: str) -> str:
    """Link the public names of the library, except in examples and to themselves."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        return f"[`{name}`][kingdomino.{name}]" if name in kd.__all__ and name != own else found[0]

    return "\n".join(
        line if line.lstrip().startswith((">>> ", "... ")) else _NAME.sub(link, line)
        for line in text.splitlines()
    )
