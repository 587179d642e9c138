"""The rules exist once, in Rust: outside `crates/` no code computes with kings, rounds and the length of lines.

Tests and benches, which check the engine, may.
"""

import sys
from pathlib import Path
from typing import Final

import pytest
from support.computing import computing
from support.node import run_node

from kingdomino import server

ROOT: Final = Path(__file__).parents[1]
SCRIPTS: Final = Path(server.__file__).parent / "static/js"
TYPESCRIPT: Final = Path(sys.executable).parents[1] / "node/node_modules/typescript/lib/typescript.js"
ALLOWED: Final = {
    "python/kingdomino/envs/rendering.py": ["rules.line_length * (_SQUARE + _GAP)"],  # a picture's height
    "python/kingdomino/examples/policy_gradient.py": [
        "vector[:, WORDS['lines_to_come']].astype(jnp.float32) / RULES.rounds",  # the scale of a feature
        "range(RULES.line_length)",  # the places of a line in an observation
    ],
    "python/kingdomino/server/tables/history/records.py": [
        "len(opening) - len(start.kings_to_draw)"  # cuts off the kings drawn before the start
    ],
    "python/kingdomino/svg/positions.py": [
        "range(rounds)",
        "14 * rounds",
        "rounds - 1",
    ],  # a dot for each round
}
ALLOWED_SCRIPTS: Final = {
    "analysis/setup.js": ["n <= this.facts.rounds"],  # offers each round
    "pages/analysis.js": ["length: rules.line"],  # draws a place for each domino
    "review/walk.js": ["line.length > 1", "moves.length - 1"],  # a line of moves
    "table/deal.js": [
        "first += rules.line",
        "first + rules.line",
    ],  # draws the deal by itself, to check the server
    "table/view.js": ["length: rounds"],  # a dot for each round
}

COMPUTING: Final = """
rules.kings * players
count += rules.line_length
-rules.rounds
rules["kings"] * players
getattr(rules, "kings") * players
rules.kings.__mul__(players)
min(rules.kings, 2) * players
(rules.kings or 1) * players
(2 if is_duel else rules.kings) * players
math.prod([rules.kings, players])
functools.reduce(operator.mul, (rules.kings, players))
divmod(number, rules.kings)
sum((rules.kings, 1))
len(position.line) - 1
len(tuple(position.next_line)) - 1
len(position.kings_to_draw) // 2
len(position.line) == 4
len(position.line) in (3, 4)
1 < len(position.line)
rules.kings == 2
sum(1 for _ in position.line)
deck[: rules.line_length]
deck[rules.line_length]
deck[slice(rules.line_length)]
itertools.islice(deck, rules.line_length)
itertools.batched(deck, rules.line_length)
range(rules.kings)
n: int = rules.kings; n * 2
n = rules.kings; m = n; m * 2
n, m = rules.line_length, 2; deck[i : i + n]
[(n, m)] = [(rules.line_length, 2)]; n * m
(n := rules.kings) * 2
line = position.line; len(line) * 2
self.each = rules.kings; self.each * 2
facts = {"n": rules.kings}; facts["n"] * 2
facts = Facts(n=rules.kings); facts.n * 2
each = lambda rules: rules.kings; each(rules) * 2
def f(n=rules.kings): return n * 2
def f(*, n=rules.kings): return n * 2
def f(kings: int): return kings * 2
for n in (rules.kings, 1): n * 2
[n * 2 for n in (rules.kings, 1)]
"""
NOT_COMPUTING: Final = """
position.round == rules.rounds
position.round < rules.rounds
min(number, rules.rounds)
len(position.line) > 0
len(drawn) == rules.line_length
f"{position.round} of {rules.rounds}"
line = file.readline(); len(line) - 1
kings = list(start.kings_to_draw); kings[0]
position.round + 1
"""
MATCHED: Final = """
match position:
    case Position(rules=Rules(kings=n)):
        n * 2
"""
DEFINED: Final = """
def each(rules):
    return rules.kings
each(rules) * 2
"""

COMPUTING_SCRIPTS: Final = """
rules.kings * players
(rules.kings) * players
rules?.kings * players
rules["kings"] * players
/** @type {number} */ (rules.kings) * players
table.rules.kings ** 2
count += rules.line
-rules.line
(rules.kings ?? 1) * players
(isDuel ? 2 : rules.kings) * players
Math.min(rules.kings, 2) * players
Math.hypot(rules.kings, players)
Math.imul(rules.kings, players)
table.line.length - 1
[...table.next_line].length - 1
table.rules.to_draw.length / players
table.line.length === 4
1 < table.line.length
rules.kings === 2
deck.slice(0, rules.line)
deck[rules.line]
deck.at(rules.line)
new Array(rules.line)
Array(rules.kings).fill(seat)
Array.from({ length: rules.kings }, () => seat)
"♔".repeat(rules.kings)
for (let n = 0; n < rules.kings; n += 1) kings.push(seat);
const n = rules.kings; const m = n; m * 2
const [n, m] = [rules.kings, 2]; n * m
const { kings } = rules; kings * 2
const { kings: each } = rules; each * 2
const { rules: { kings: each = 1 } } = table; each * 2
const { line } = table; line.length * 2
const { line: { length } } = table; length * 2
const { length: n } = table.next_line; n * 2
const f = ({ rounds }) => rounds * 2;
const f = (kings) => kings * 2;
const each = (rules) => rules.kings; each(rules) * 2
function each(rules) { return rules.kings; } each(rules) * 2
let n; n = rules.kings; n++
const length = rules.line; Array.from({ length })
class Facts { each = rules.kings; all() { return this.each * 2; } }
class Facts { get each() { return rules.kings; } all() { return this.each * 2; } }
const facts = { n: rules.kings }; facts.n * 2
"""
NOT_COMPUTING_SCRIPTS: Final = """
round === rules.rounds
Math.min(round, rules.rounds)
line.length !== rules.line
table.line.length > 0
const { rules } = table; rules.players * 2
t("common.round", { round, rounds: rules.rounds })
round + 1
rules.dominoes < 48
"""


def cases(text: str) -> list[str]:
    """Return the lines of a text."""
    return text.strip().splitlines()


def computing_scripts(sources: dict[str, str]) -> dict[str, list[str]]:
    """Return the expressions of the page's modules that compute with a fact of the rules."""
    lint = (Path(__file__).parent / "support/computing.js").read_text(encoding="utf-8")
    found = run_node(f"const typescript = {str(TYPESCRIPT)!r};{lint}", sources)
    return {name: expressions for name, expressions in found.items() if expressions}


@pytest.mark.parametrize("source", [*cases(COMPUTING), MATCHED, DEFINED])
def test_python_that_computes_with_the_rules_is_found(source: str) -> None:
    assert computing(source)


@pytest.mark.parametrize("source", cases(NOT_COMPUTING))
def test_python_that_only_compares_or_shows_facts_is_not_found(source: str) -> None:
    assert computing(source) == []


def test_scripts_that_compute_with_the_rules_are_found() -> None:
    sources = cases(COMPUTING_SCRIPTS)
    assert list(computing_scripts({source: source for source in sources})) == sources


def test_scripts_that_only_compare_or_show_facts_are_not_found() -> None:
    assert computing_scripts({source: source for source in cases(NOT_COMPUTING_SCRIPTS)}) == {}


def test_python_computes_nothing_from_the_rules() -> None:
    files = [file for folder in ("python", "tools") for file in (ROOT / folder).rglob("*.py")]
    found = {str(file.relative_to(ROOT)): computing(file.read_text(encoding="utf-8")) for file in files}
    assert {file: expressions for file, expressions in found.items() if expressions} == ALLOWED


def test_the_page_computes_nothing_from_the_rules() -> None:
    files = {
        str(file.relative_to(SCRIPTS)): file.read_text(encoding="utf-8") for file in SCRIPTS.rglob("*.js")
    }
    assert computing_scripts(files) == ALLOWED_SCRIPTS
