"""A review in the terminal: progress, a table of decisions and luck, and each seat's totals."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

import kingdomino as kd
from kingdomino.analysis.graph import player_names, turns
from kingdomino.analysis.page import chance_words, seat_facts
from kingdomino.analysis.review import seed_of
from kingdomino.analysis.sentences import (
    account_sentence,
    change,
    cost_sentence,
    level_words,
    parts_sentence,
    percent,
    points,
    reason_sentence,
)
from kingdomino.cli.terminal import view
from kingdomino.display import counted, distinct, sentence, shortened

_QUIET, _STRONG = "dim", "bold"
_WRAPPED = "played"
_LONGEST_NAME = 12
_LARGE = (kd.analysis.Grade.MISTAKE, kd.analysis.Grade.BLUNDER)


def watch(
    record: kd.Record, limit: kd.bots.Limit, seed: int, threads: int, console: Console
) -> kd.analysis.Review | None:
    """Review a record under a progress bar. After Ctrl-C, return the results so far, or None if there are none."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.disable = not bar.console.is_terminal
    plies, found, stopped = len(record.actions()), None, False
    try:
        with bar:
            task = bar.add_task("first pass", total=plies)
            reviews = kd.analysis.reviews(record, limit, seed=seed, threads=threads)
            for number, found in enumerate(reviews):  # noqa: B007  (the last one is given)
                if number > plies:
                    bar.update(task, description="second pass")
                bar.update(task, completed=number - plies if number > plies else number)
    except KeyboardInterrupt:
        stopped = True
    if found is None or not found.decisions:
        console.print("stopped before the first result")
        return None
    if stopped:
        known = len(found.decisions)
        so_far = f"{known} of {plies} decisions" if known < plies else "all decisions, some of them roughly"
        console.print(Text(f"stopped; these results cover {so_far}", _STRONG))
    return found


def show(review: kd.analysis.Review, record: kd.Record, console: Console) -> None:
    """Print every decision with its cost, every reveal with its luck, and each seat's totals."""
    names = _names(record)
    console.print(Text(sentence(record.positions()[-1], names), _STRONG))
    console.print(_decisions(review, names))
    console.print(_sums(review, names))
    for name, one in zip(names, review.seats, strict=True):
        if one.account:
            console.print(Text(account_sentence(one.account, name)))


def sum_up(folder: Path, player: str, limit: kd.bots.Limit, seed: int, threads: int) -> None:
    """Review the finished games of a player in a folder, and print where the player's points go.

    After Ctrl-C, print the sums of the games so far. Raise `KingdominoError` if there is none.
    """
    console = Console(highlight=False)
    games = [
        record
        for record in kd.games.read(folder)
        if player in record.players and record.positions()[-1].phase == "over"
    ]
    if not games:
        raise kd.KingdominoError(f"{folder}: no finished game of {player}")
    reviews: list[kd.analysis.Review] = []
    try:
        for number, record in enumerate(games, 1):
            console.print(Text(f"game {number} of {len(games)}", _QUIET))
            found = watch(record, limit, seed, threads, console)
            if found is None or len(found.decisions) < found.plies:
                break
            reviews.append(found)
    except KeyboardInterrupt:
        pass
    if not reviews:
        return
    reviewed = games[: len(reviews)]
    rules = {record.rules for record in reviewed}
    seats = [record.players.index(player) for record in reviewed]
    shared = rules.pop() if len(rules) == 1 else None
    _show_summary(kd.analysis.summary(reviews, seats, rules=shared), player, console)


def _show_summary(found: kd.analysis.Summary, player: str, console: Console) -> None:
    cost, games = points(found.cost.mean), counted(found.games, "game")
    console.print(Text(f"Over {games} the decisions of {player} cost {cost} a game.", _STRONG))
    rows = [
        *((one.theme or "no one reason", one.estimate, str(one.count)) for one in found.themes),
        *((f"round {number}", one, "") for number, one in enumerate(found.rounds)),
        ("placing", found.placing, ""),
        ("claiming", found.claiming, ""),
    ]
    table = _table(("", ""), ("points", "right"), ("90% range", "right"), ("decisions", "right"))
    for name, one, count in rows:
        between = f"{one.low:.1f} to {one.high:.1f}" if found.games > 1 else ""
        table.add_row(name, f"{one.mean:.1f}", between, count)
    console.print(table)
    if found.level:
        console.print(Text(f"played like {level_words(found.level)}"))


def show_decision(record: kd.Record, ply: int, limit: kd.bots.Limit, seed: int, console: Console) -> None:
    """Judge one decision. Print its cost, the reason, and the alternatives."""
    position, action, names = record.positions()[ply], record.actions()[ply], _names(record)
    console.print(view.kingdoms(position, names, console))
    console.print(Text(sentence(position, names), _STRONG))
    stop = Event()
    with ThreadPoolExecutor(1) as pool:
        seed = seed_of(seed, ply)
        judged = pool.submit(kd.analysis.judge, position, action, limit, ply=ply, seed=seed, stop=stop)
        try:
            one = judged.result()
        except KeyboardInterrupt:
            stop.set()
            one = judged.result()
            console.print(Text("stopped; these are the results so far", _STRONG))
    name = names[one.seat]
    console.print(Text(f"{action}: {cost_sentence(one, name)}"))
    if one.why:
        console.print(Text(reason_sentence(one.why, names)))
    if one.parts:
        console.print(Text(parts_sentence(one, names)))
    table = _table(("", ""), ("action", ""), ("wins", "right"), ("score", "right"), ("points", "right"))
    table.add_column("chance", justify="right")
    for other in one.alternatives:
        marks = ["best"] * (other.action == one.best) + ["played"] * (other.action == action)
        table.add_row(
            ", ".join(marks),
            str(other.action),
            percent(other.value.win_rates[one.seat]),
            f"{other.value.mean_scores[one.seat]:.1f}",
            _points(other.cost_points),
            _chance(other.cost),
        )
    console.print(table)
    how = "worked out to the end" if one.exact else f"{one.playouts:,} playouts"
    place = f"{one.place} of {one.choices}" if one.choices > 1 else "the only one"
    console.print(Text(f"the played action is {place}; {how}", _QUIET))


def _names(record: kd.Record) -> list[str]:
    return distinct([shortened(name, _LONGEST_NAME) for name in player_names(record)])


def _decisions(review: kd.analysis.Review, names: Sequence[str]) -> Table:
    table = _table(
        ("", "right"),
        ("player", ""),
        ("played", ""),
        ("points", "right"),
        ("chance", "right"),
        ("grade", ""),
        ("best", ""),
    )
    for one in turns(review):
        if isinstance(one, kd.analysis.Luck):
            lucky = max(range(len(names)), key=lambda seat: one.win_rates[seat])
            luck = f"{change(one.win_rates[lucky])} for {names[lucky]}"
            table.add_row("", "", Text(chance_words(one, names)), "", "", "", Text(luck), style=_QUIET)
        else:
            table.add_row(
                str(one.ply),
                Text(names[one.seat]),
                str(one.action),
                _points(one.cost_points),
                _chance(one.cost),
                Text(one.grade if one.choices > 1 else "", _STRONG if one.grade in _LARGE else ""),
                str(one.best) if one.best != one.action else "",
            )
    return table


def _sums(review: kd.analysis.Review, names: Sequence[str]) -> Table:
    facts = [dict(seat_facts(review, seat)) for seat in range(len(names))]
    titles = max(facts, key=len)
    table = _table(("", ""), *((title, "right") for title in titles))
    for name, sums in zip(names, facts, strict=True):
        table.add_row(Text(name, _STRONG), *(sums.get(title, "") for title in titles))
    return table


def _chance(cost: float) -> str:
    return f"{cost:.1%}" if cost >= 0.0005 else ""


def _points(points: float) -> str:
    return f"{points:.1f}" if points >= 0.05 else ""


def _table(*columns: tuple[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=_QUIET)
    for title, side in columns:
        table.add_column(title, justify="right" if side else "left", no_wrap=title != _WRAPPED)
    return table
