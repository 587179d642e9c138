"""A review as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kingdomino import svg
from kingdomino._core import Kingdom, Position, Record
from kingdomino.analysis.graph import check_fits, graph, player_names, turns
from kingdomino.analysis.sentences import (
    account_sentence,
    change,
    cost_order,
    cost_sentence,
    is_costly,
    level_words,
    parts_sentence,
    percent,
    points,
    points_change,
    reason_sentence,
)
from kingdomino.analysis.values import Alternative, Decision, Luck, Review
from kingdomino.display import round_name, rules_name, sentence
from kingdomino.svg.drawing import SANS, SERIF
from kingdomino.svg.symbols import colours

_ORDINALS = ("1st", "2nd", "3rd", "4th")
_BOARD, _SMALL = 64, 22  # pixels a square

_STYLE = f"""
body {{ margin: 0; padding: 24px; background: var(--table); color: var(--ink); font: 16px/1.5 {SANS} }}
main {{ max-width: 1100px; margin: auto; display: grid; gap: 24px }}
h1, h2, h3 {{ font-family: {SERIF}; margin: 0; line-height: 1.2 }} h1 {{ text-align: center }}
p {{ margin: 0 }} .soft {{ color: var(--ink-soft); font-size: .8125rem }}
section {{ background: var(--parchment); border-radius: 14px; padding: 20px 24px; overflow-x: auto }}
.seats, .choice {{ display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start }}
.seats > div {{ flex: 1 1 220px }} .choice > div {{ flex: 1 1 260px }} .choice .board {{ flex: 2 1 340px }}
svg {{ max-width: 100%; height: auto }} .graph svg {{ min-width: 860px }}
dl {{ display: grid; grid-template-columns: auto auto; gap: 2px 16px; margin: 8px 0 }}
dd {{ margin: 0; text-align: right }}
ol {{ list-style: none; margin: 8px 0 0; padding: 0; display: grid; gap: 8px }}
li {{ display: flex; gap: 12px; align-items: center; padding: 6px 10px }}
li {{ border: 2px solid var(--edge); border-radius: 10px }}
li.best {{ border-color: var(--accent) }} li.played {{ border: 2px dashed var(--ink) }}
li .much {{ margin-left: auto; font-weight: 700; font-family: {SERIF} }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; margin-top: 12px }}
th, td {{ text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--edge) }}
td.number, th.number {{ text-align: right }} tr.chance td {{ color: var(--ink-soft) }}
summary {{ cursor: pointer; font-family: {SERIF}; font-size: 1.1875rem }}
"""


def page(review: Review, record: Record, *, theme: str = "light") -> str:
    """Write a review as an HTML document: who won, each seat's sums, the graph, the costliest decisions, all of them.

    It contains its pictures and its style, and loads nothing. Raises `KingdominoError` if the review is not of this
    record, and for an unknown theme (it is "light" or "dark").
    """
    check_fits(review, record)
    names, positions = player_names(record), record.positions()
    title = sentence(positions[-1], names)
    body = "".join(
        (
            f"<h1>{escape(title)}</h1>",
            _progress(review),
            _seats(review, positions[-1], names, theme),
            f'<section class="graph"><h2>Chance of winning</h2>{graph(review, record, theme=theme)}</section>',
            *(_decision(one, positions[one.ply], names, theme) for one in _told(review)),
            _table(review, names),
            f'<p class="soft">{escape(_how(review, record))}</p>',
        )
    )
    # Not the whole style sheet of tokens: it follows the reader's system, and the pictures do not.
    tokens = "".join(f"--{name}: {colour}; " for name, colour in colours(theme).items())
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Kingdomino: {escape(title)}</title>\n"
        f"<style>:root {{ color-scheme: {theme}; {tokens}}}{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>{body}</main>\n</body>\n</html>\n"
    )


def _told(review: Review) -> list[Decision]:
    """Return the decisions that have a picture, the costliest first."""
    return sorted(filter(is_costly, review.decisions), key=cost_order)


def _progress(review: Review) -> str:
    done = len(review.decisions)
    if done == review.plies:
        return ""
    return f"<p>Decision {done} of {review.plies} so far.</p>"


def _how(review: Review, record: Record) -> str:
    made = sorted({one.playouts for one in review.decisions if not one.exact})
    if not made:
        return f"{rules_name(record.rules)}. Each decision was worked out to the end of the game."
    between = " to ".join(f"{playouts:,}" for playouts in dict.fromkeys((made[0], made[-1])))
    return f"{rules_name(record.rules)}. Each decision was judged with {between} playouts."


def _seats(review: Review, last: Position, names: Sequence[str], theme: str) -> str:
    def seat(number: int) -> str:
        score = last.scores()[number]
        facts = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in seat_facts(review, number))
        picture = svg.kingdom(last.kingdoms[number], seat=number, size=30, theme=theme)
        account = review.seats[number].account
        said = f"<p>{escape(account_sentence(account, names[number]))}</p>" if account else ""
        return f"<div><h2>{escape(names[number])} {score.total}</h2>{said}{picture}<dl>{facts}</dl></div>"

    return f'<section><div class="seats">{"".join(map(seat, range(len(names))))}</div></section>'


def seat_facts(review: Review, seat: int) -> list[tuple[str, str]]:
    """Return the sums of a seat: their names, and their figures in words."""
    one = review.seats[seat]
    facts = [
        ("Decisions cost", points(one.cost_points)),
        ("Luck", points_change(one.luck_points)),
    ]
    return facts + ([("Played like", level_words(one.level))] if one.level else [])


def _decision(one: Decision, position: Position, names: Sequence[str], theme: str) -> str:
    name = names[one.seat]
    said = f"<p>{escape(reason_sentence(one.why, names))}</p>" if one.why else ""
    said += f"<p>{escape(parts_sentence(one, names))}</p>" if one.parts else ""
    number = position.domino.number if position.domino else None
    what = f"{round_name(position)}, {f'domino {number}' if number else 'a claim'}"
    choices = "".join(
        _choice(one, other, place, position, theme) for place, other in enumerate(one.alternatives)
    )
    chances = (
        f"The chance to win: {percent(one.before.win_rates[one.seat])} with the best, "
        f"{percent(one.after.win_rates[one.seat])} with {one.action}."
    )
    return (
        f'<section><h2>{escape(cost_sentence(one, name))}</h2>{said}<p class="soft">Decision {one.ply + 1}: '
        f'{escape(name)}, {what}</p><div class="choice"><div class="board">{_board(one, position, theme)}</div>'
        f'<div><h3>What else there was</h3><p class="soft">points on average, and what each costs</p>'
        f'<ol>{choices}</ol><p class="soft">{escape(chances)}</p></div></div></section>'
    )


def _board(one: Decision, position: Position, theme: str) -> str:
    """Draw the kingdom with the best placement on it and the played one in a dashed frame, or the line for a claim."""
    best, played, domino = one.best.placement, one.action.placement, position.domino
    if best and played and domino:
        return svg.kingdom(
            position.kingdoms[one.seat],
            seat=one.seat,
            domino=domino,
            placements=[best],
            played=played if played != best else None,
            size=_BOARD,
            theme=theme,
        )
    return svg.line(
        [
            slot._replace(seat=one.seat) if slot.domino == one.best.domino else slot
            for slot in position.offered
        ],
        size=_BOARD,
        theme=theme,
    )


def _choice(one: Decision, other: Alternative, place: int, position: Position, theme: str) -> str:
    seat, is_best = one.seat, other.action == one.best
    is_played = other.action == one.action
    title = "Best" if is_best else _ORDINALS[place]
    if is_played:
        title = f"Played, {one.place} of {one.choices}" if not is_best else "Best, and played"
    kind = "best" if is_best else "played" if is_played else ""
    loss = f"\N{MINUS SIGN}{other.cost_points:.0f}" if round(other.cost_points) else ""
    figures = f"{points(other.value.mean_scores[seat])}, {percent(other.value.win_rates[seat])} to win"
    return (
        f'<li class="{kind}">{_small(other, position, seat, theme)}<div>{title}: {other.action}'
        f'<br><span class="soft">{figures}</span></div><span class="much">{loss}</span></li>'
    )


def _small(other: Alternative, position: Position, seat: int, theme: str) -> str:
    kingdom: Kingdom = position.kingdoms[seat]
    if other.action.placement and position.domino:
        return svg.kingdom(
            kingdom.place(position.domino, other.action.placement), seat=seat, size=_SMALL, theme=theme
        )
    return svg.domino(other.action.domino, size=_SMALL, theme=theme) if other.action.domino else ""


def _table(review: Review, names: Sequence[str]) -> str:
    rows = "".join(_rows(review, names))
    titles = "".join(
        f'<th class="{kind}">{title}</th>'
        for title, kind in (
            ("", "number"),
            ("player", ""),
            ("decision", ""),
            ("best", ""),
            ("points", "number"),
            ("chance", "number"),
            *((f"chance of {escape(name)}", "number") for name in names),
        )
    )
    return (
        "<section><details><summary>Show as a table</summary>"
        f"<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table></details></section>"
    )


def _rows(review: Review, names: Sequence[str]) -> Iterator[str]:
    for one in turns(review):
        if isinstance(one, Luck):
            changes = "".join(f'<td class="number">{change(rate)}</td>' for rate in one.win_rates)
            what = f'<td colspan="4">{escape(chance_words(one, names))}</td>'
            yield f'<tr class="chance"><td></td><td></td>{what}{changes}</tr>'
        else:
            rates = "".join(f'<td class="number">{percent(rate)}</td>' for rate in one.after.win_rates)
            cells = (
                f'<td class="number">{one.ply + 1}</td><td>{escape(names[one.seat])}</td><td>{one.action}</td>'
                f"<td>{one.best if one.best != one.action else ''}</td>"
                f'<td class="number">{f"{one.cost_points:.1f}" if one.cost_points else ""}</td>'
                f'<td class="number">{percent(one.cost) if one.cost else ""}</td>'
            )
            yield f"<tr>{cells}{rates}</tr>"


def chance_words(one: Luck, names: Sequence[str]) -> str:
    """Return what chance brought: ``line 9 14 29 37``, ``king of Ida``."""
    line = f"line {' '.join(map(str, one.line))}" if one.line else ""
    king = f"king of {names[one.king]}" if one.king is not None else ""
    return ", ".join(filter(None, [line, king]))
