"""The registry of bots by name, which creates bots from spec strings."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import NoneType
from typing import NamedTuple, TypeAlias, get_args

from kingdomino.bots.bot import Bot
from kingdomino.bots.spec import parse
from kingdomino.display import is_line
from kingdomino.errors import BotError
from kingdomino.validation import did_you_mean

Factory: TypeAlias = Callable[..., Bot]
"""Creates a bot. Its keyword parameters, all with defaults, are the options of the spec string. Their annotations
(`int`, `float`, `bool`, `str`, or one of these ``| None``) determine how values are parsed."""


_NAMED = re.compile(r"\s*([^=:,]*[^=:,\s])\s*=(.*)", re.DOTALL)
"""``key=value`` or ``NAME=SPEC``."""


class NamedSpec(NamedTuple):
    """A bot in a list: its spec string, and its name or None."""

    spec: str
    name: str | None = None


class _Kind:
    """A kind of bot: its factory, and its options by name.

    Reading a signature takes longer than creating most bots, so each is read once, when it is first needed.
    """

    def __init__(self, factory: Factory) -> None:
        self.factory = factory

    @cached_property
    def options(self) -> dict[str, inspect.Parameter]:
        parameters = inspect.signature(self.factory, eval_str=True).parameters
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return {key: parameter for key, parameter in parameters.items() if parameter.kind in named}


class Registry:
    """Bot factories by name."""

    def __init__(self, factories: Mapping[str, Factory]) -> None:
        self._kinds = {name: _Kind(factory) for name, factory in factories.items()}

    def names(self) -> tuple[str, ...]:
        """Return the names of all bots, in alphabetical order."""
        return tuple(sorted(self._kinds))

    def register(self, name: str, factory: Factory, *, replace: bool = False) -> None:
        """Add a bot, for this process.

        The factory's keyword parameters are the options: ``def cautious(depth: int = 2) -> Bot`` allows
        ``cautious:depth=3``. Raises `BotError` for an invalid name, for an existing name (unless ``replace``), and for
        a factory whose parameters cannot be options.
        """
        if parse(name) != (name, {}):
            raise BotError(f"not a name for a bot: {name!r} (like 'cautious')")
        if name in self._kinds and not replace:
            raise BotError(f"there is already a bot {name!r}; replace=True replaces it")
        kind = _Kind(factory)
        try:
            options = kind.options
        except (TypeError, ValueError, NameError) as error:
            raise BotError(f"bot {name!r}: its factory cannot be read: {error}") from error
        for key, parameter in options.items():
            if parameter.default is parameter.empty:
                raise BotError(f"bot {name!r}: option {key!r} has no default")
        self._kinds[name] = kind

    def make(self, spec: str, *, seed: int | None = None) -> Bot:
        """Create the bot of a spec string.

        ``seed`` applies if the bot has a seed and the spec does not set it. Raises `BotError` for an unknown bot, an
        unknown option or a wrong value; the message lists the valid ones.
        """
        name, given = parse(spec)
        if name not in self._kinds:
            raise BotError(
                f"no bot {name!r}{did_you_mean(name, self._kinds)}; the bots are {_listed(self.names())}"
            )
        kind = self._kinds[name]
        options = kind.options
        values: dict[str, object] = {} if seed is None or "seed" not in options else {"seed": seed}
        for key, text in given.items():
            if key not in options:
                exist = f"its options are {_listed(options)}" if options else "it has none"
                raise BotError(f"bot {name!r} has no option {key!r}{did_you_mean(key, options)}; {exist}")
            values[key] = _read(name, key, text, options[key].annotation)
        try:
            bot = kind.factory(**values)
        except BotError:
            raise
        except (ValueError, OverflowError) as error:
            raise BotError(f"bot {spec!r}: {error}") from error
        if not isinstance(bot, Bot):
            raise BotError(f"bot {name!r}: its factory made {bot!r}, which does not derive from kd.bots.Bot")
        if not is_line(bot.spec):
            raise BotError(f"bot {name!r}: its spec is {bot.spec!r} and not one line of text")
        return bot

    def specs(self, text: str) -> list[NamedSpec]:
        """Parse a list of spec strings: ``"greedy,mine=random:seed=3"`` has two, the second with a name.

        A comma also separates the options of one bot. So ``key=value`` belongs to the preceding bot if that bot has
        such an option, or if the value is not a bot. It does not check the specs. Raises `BotError` for a repeated
        name.
        """
        found: list[NamedSpec] = []
        for part in text.split(","):
            named = _NAMED.fullmatch(part)
            if named is None:
                found.append(NamedSpec(part.strip()))
            elif found and not (self._is_bot(named[2]) and not self._has_option(found[-1].spec, named[1])):
                found[-1] = found[-1]._replace(spec=f"{found[-1].spec},{part}")
            else:
                found.append(NamedSpec(named[2].strip(), named[1]))
        names = [one.name for one in found if one.name is not None]
        for name in names:
            if names.count(name) > 1:
                raise BotError(f"two bots are called {name!r}")
        return found

    def _is_bot(self, spec: str) -> bool:
        return spec.partition(":")[0].strip() in self._kinds

    def _has_option(self, spec: str, key: str) -> bool:
        kind = self._kinds.get(spec.partition(":")[0].strip())
        return kind is not None and key in kind.options


def _read(name: str, key: str, text: str, annotation: object) -> object:
    """Parse a value by its annotation; without one it stays a text."""
    (kind, *_) = [one for one in get_args(annotation) if one is not NoneType] or [annotation]
    try:
        if kind is int:
            return int(text)
        if kind is float:
            return float(text)
        if kind is bool:
            return {"true": True, "false": False}[text]
    except (ValueError, KeyError):
        what = {int: "a whole number", float: "a number", bool: "'true' or 'false'"}[kind]
        raise BotError(f"bot {name!r}: option {key!r} must be {what}, not {text!r}") from None
    return text


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(repr, sorted(words)))
