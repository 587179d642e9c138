"""The arena: matches between bots on the same deals, with a complete store of games and a report.

`plan` describes a run, and `schedule` its games. `play` plays one game, `workers` many at once, and `run` writes
them into a `store`. `results` adds them up with the help of `statistics`; `report` and `picture` show them. The
arena needs the extra ``arena``: ``pip install 'kingdomino[arena]'``.
"""

from importlib.util import find_spec

_MISSING = [name for name in ("filelock", "matplotlib", "scipy") if find_spec(name) is None]
if _MISSING:
    raise ModuleNotFoundError(
        f"the arena needs {', '.join(_MISSING)}, not installed here: pip install 'kingdomino[arena]'",
        name=_MISSING[0],
    )
