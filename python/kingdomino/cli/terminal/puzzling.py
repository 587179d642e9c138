"""A puzzle in the terminal: show the position, ask, explain wrong tries, show the solution."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

import kingdomino as kd
from kingdomino.analysis.sentences import cost_sentence, is_costly, parts_sentence, points, reason_sentence
from kingdomino.cli.terminal import commands, view, words
from kingdomino.cli.terminal.choices import choices
from kingdomino.cli.terminal.flow import Ask
from kingdomino.display import SEAT_NAMES, counted, rules_name

_AS_IN_A_GAME = ("17", "place 1,0>2,0", "claim 17", "map", "score", "unseen", "show")
HELP = {
    **{typed: commands.HELP[typed] for typed in _AS_IN_A_GAME},
    "solution": "give up, and see the solution",
    "quit": "leave the puzzle (also Ctrl-C and Ctrl-D)",
    "?": commands.HELP["?"],
}
"""Commands with their explanations."""

LIMIT = kd.analysis.DEFAULT_LIMIT
"""How long it thinks about a try."""


class TerminalPuzzle:
    """A puzzle at this terminal. Input comes from a function like `input`, output goes to a Rich console."""

    def __init__(self, puzzle: kd.analysis.Puzzle, ask: Ask, console: Console) -> None:
        self._puzzle = puzzle
        self._position = puzzle.position
        self._ask = ask
        self._console = console
        self._names = list(SEAT_NAMES[: self._position.rules.players])
        assert self._position.to_move is not None
        self._names[self._position.to_move] = words.YOU

    def run(self) -> int:
        """Ask until the puzzle is solved or given up. Return the exit status: 130 after Ctrl-C, else 0."""
        puzzle = self._puzzle
        self._say(f"Puzzle {puzzle.name}, level {puzzle.level}: {rules_name(self._position.rules)}", "dim")
        self._say("Find the best action. Type ? for help.", "dim")
        self._show()
        try:
            tries = self._solve()
            if tries is not None:
                after = f" after {counted(tries, 'wrong attempt')}" if tries else ""
                self._say(f"Solved{after}.", "bold")
            self._show_solution()
        except EOFError:
            self._say("")
        except KeyboardInterrupt:
            self._say("")
            return 130
        return 0

    def _solve(self) -> int | None:
        """Return the number of wrong tries before the solution; None if the player gives up."""
        offered, tries = choices(self._position), 0
        while True:
            typed = self._ask(f"{words.YOU} > ")
            if typed.strip().lower() == "solution":
                return None
            try:
                command = commands.parse(typed, offered)
                if not isinstance(command, kd.Action):
                    self._answer(command.verb)
                elif self._puzzle.is_solved_by(command):
                    return tries
                else:
                    self._explain(command)
                    tries += 1
            except kd.KingdominoError as error:
                self._say(words.why(error, self._names), "red")

    def _answer(self, verb: str) -> None:
        offered = choices(self._position)
        match verb:
            case "help":
                self._console.print(view.help_text(HELP))
            case "map":
                self._console.print(view.numbered(self._position, offered, self._console))
            case "score":
                self._console.print(view.scores(self._position, self._names))
            case "unseen":
                self._console.print(view.unseen(self._position, self._console))
            case "show":
                self._show()
            case "quit":
                raise EOFError
            case _:
                raise kd.KingdominoError(f"a puzzle has no {verb}; type solution to give up")

    def _explain(self, action: kd.Action) -> None:
        """Print the cost of a wrong try, and the reason."""
        judged = kd.analysis.judge(self._position, action, LIMIT)
        if not self._puzzle.is_solved_by(judged.best) or not is_costly(judged):
            # The puzzle was checked more thoroughly.
            self._say(f"{action}: this costs at least {points(self._puzzle.cost)}.")
            return
        said = [cost_sentence(judged)]
        said += [reason_sentence(judged.why, self._names)] if judged.why else []
        said += [parts_sentence(judged, self._names)]
        self._say(f"{action}: {' '.join(filter(None, said))}")

    def _show(self) -> None:
        self._say("")
        self._console.print(view.kingdoms(self._position, self._names, self._console))
        self._say(words.task(self._position, self._names), "bold")
        self._console.print(view.offered(self._position, choices(self._position), self._console))

    def _show_solution(self) -> None:
        """Show the solution, and how the game is likely to go on until chance decides."""
        puzzle, position = self._puzzle, self._position
        judged = kd.analysis.judge(position, puzzle.solutions[0], LIMIT)
        self._say(
            f"The best is {puzzle.solutions[0]}; any other action costs at least {points(puzzle.cost)}."
        )
        line = judged.line if puzzle.is_solved_by(judged.best) else puzzle.solutions[:1]
        for number, action in enumerate(line):
            assert position.to_move is not None
            if number == 1:
                self._say("It may go on like this:", "dim")
            self._say(words.turn(self._names[position.to_move], [(position, action)]))
            position = position.play(action)
        self._console.print(view.kingdoms(position, self._names, self._console))

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style))
