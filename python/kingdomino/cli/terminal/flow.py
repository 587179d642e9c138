"""The flow of a game in the terminal: show the position, ask, play, and repeat until the game is over.

Input comes from a function like `input`; output goes to a Rich `Console`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

import kingdomino as kd
from kingdomino.cli.files import reason
from kingdomino.cli.terminal import study, view, words
from kingdomino.cli.terminal.choices import Choice, choices
from kingdomino.cli.terminal.commands import Command, parse
from kingdomino.cli.terminal.hints import Hints
from kingdomino.cli.terminal.session import Session
from kingdomino.display import round_name
from kingdomino.machine import available_cores

Ask: TypeAlias = Callable[[str], str]
"""Show a prompt and return a line. Like `input`, raise `EOFError` at the end of input."""


class _LeaveError(Exception):
    """The player has typed ``quit``."""


class TerminalGame:
    """A session at this terminal.

    At the end it saves the game to the file ``record``. Without ``record`` it asks the player if ``interactive``, and
    otherwise saves nothing. ``own`` is the file that the game came from, the only existing file that it overwrites.
    ``review_limit`` limits the search for each decision of a review.
    """

    def __init__(
        self,
        session: Session,
        ask: Ask,
        console: Console,
        *,
        record: Path | None = None,
        interactive: bool = True,
        own: Path | None = None,
        review_limit: kd.bots.Limit = kd.analysis.DEFAULT_LIMIT,
    ) -> None:
        self.session = session
        self._ask = ask
        self._console = console
        self._record = record
        self._interactive = interactive
        self._review_limit = review_limit
        self._own = {own.resolve()} if own else set[Path]()
        self._saved = session.write()
        self._heading = ""
        self._hints = Hints()

    def run(self) -> int:
        """Play until the game is over or the player quits. Return the exit status: 130 after Ctrl-C, else 0."""
        status = 0
        try:
            self._play_all()
        except (_LeaveError, EOFError):
            self._say("")
        except KeyboardInterrupt:
            self._say("")
            status = 130
        except SystemExit:  # SIGTERM: end the game and ask nothing
            self._interactive = False
            raise
        finally:
            self._offer_record()
            for seat in self.session.seats:
                if seat.bot:
                    seat.bot.close()
        return status

    def _play_all(self) -> None:
        while True:
            self._play_game()
            self._show_end()
            self._offer_review()
            if self.session.is_last:
                return
            self.session.next_game()

    def _play_game(self) -> None:
        while not self.session.game.is_over:
            self._show_heading()
            position = self.session.game.position
            assert position.to_move is not None
            seat = self.session.seats[position.to_move]
            legal = position.legal_actions()
            if seat.bot:
                self._say(words.turn(seat.name, self._bot_turn(seat.bot)))
            elif len(legal) == 1:
                self.session.game.play(legal[0])
                self._say(words.forced(seat.name, (position, legal[0])))
            else:
                self._decide(position, seat.name)

    def _bot_turn(self, bot: kd.bots.Bot) -> list[words.Step]:
        """Play a bot's turn: a placement, a claim, or both."""
        game, steps = self.session.game, list[words.Step]()
        while True:
            position = game.position
            action = bot.choose(position)
            try:
                game.play(action)
            except kd.IllegalActionError as error:
                raise kd.BotError(f"bot {bot.spec!r} chose {str(action)!r}: {error}") from error
            steps.append((position, action))
            if action.kind == "claim" or game.position.phase != "claim":
                return steps

    def _decide(self, position: kd.Position, name: str) -> None:
        """Ask until the player has played or taken back an action."""
        offered = choices(position)
        self._show(position, offered)
        while True:
            try:
                typed = parse(self._ask(f"{name} > "), offered)
                if isinstance(typed, kd.Action):
                    self.session.game.play(typed)
                    return
                if typed.verb == "undo":
                    self._take_back()
                    return
                self._answer(typed, position, offered)
            except (kd.KingdominoError, OSError) as error:
                self._say(words.why(error, self.session.names), "red")

    def _answer(self, typed: Command, position: kd.Position, offered: Sequence[Choice]) -> None:
        match typed.verb:
            case "help":
                self._console.print(view.help_text())
            case "map":
                self._console.print(view.numbered(position, offered, self._console))
            case "score":
                self._console.print(view.scores(position, self.session.names))
            case "unseen":
                self._console.print(view.unseen(position, self._console))
            case "hint":
                self.session.note_hint()
                self._say(self._hints.ask(position))
            case "review":
                raise kd.KingdominoError("you can review the game when it is over")
            case "show":
                self._show(position, offered)
            case "save":
                assert typed.file is not None
                self._write(typed.file)
            case "quit":
                raise _LeaveError

    def _take_back(self) -> None:
        first, *others = self.session.undo()
        after = f" and the {len(others)} decisions after it" if len(others) > 1 else ""
        after = " and the decision after it" if len(others) == 1 else after
        self._say(f"taken back: {first}{after}")

    def _show(self, position: kd.Position, offered: Sequence[Choice]) -> None:
        names = self.session.names
        self._say("")
        self._console.print(view.kingdoms(position, names, self._console))
        self._say(words.task(position, names), "bold")
        self._console.print(view.offered(position, offered, self._console))

    def _show_end(self) -> None:
        session, position = self.session, self.session.game.position
        self._show_heading()
        self._say("")
        self._console.print(view.kingdoms(position, session.names, self._console))
        self._console.print(view.scores(position, session.names))
        self._say("")
        if outcome := position.outcome():
            self._say(words.result(outcome, session.names, position.kingdoms), "bold")
        if session.match:
            self._say(words.standing(session.match.scores(), session.names, session.match.dynasty))
            if won := session.match.outcome():
                self._say(f"The Dynasty: {words.result(won, session.names)}", "bold")

    def _offer_review(self) -> None:
        """Offer a review of the finished game, if a person played and can answer."""
        if not self._interactive or all(seat.bot for seat in self.session.seats):
            return
        answer = self._ask("Type review to see what each decision cost, or Enter to go on > ")
        if answer.strip().lower() not in ("review", "r", "y", "yes"):
            return
        record = self.session.record()
        found = study.watch(record, self._review_limit, 0, available_cores(), self._console)
        if found is not None:
            study.show(found, record, self._console)
            self.session.annotate(found)

    def _show_heading(self) -> None:
        """Show a heading at the beginning of each round."""
        title = round_name(self.session.game.position)
        if self.session.match:
            title = f"Game {self.session.number} of {self.session.match.length} · {title}"
        if title != self._heading:
            self._say("")
            self._console.print(view.heading(title))
            self._heading = title

    def _offer_record(self) -> None:
        """Save the game to the given file, or ask for one."""
        try:
            if self._record:
                self._write(self._record)
            elif self._interactive and self.session.write() != self._saved:
                self._ask_for_file()
        except OSError as error:
            if not self._interactive:
                raise
            self._say(reason(error), "red")
            self._ask_for_file()
        except (EOFError, KeyboardInterrupt):
            self._say("")

    def _ask_for_file(self) -> None:
        while True:
            free = next(
                path for number in range(1, 10**6) if not (path := Path(f"kingdomino-{number}.txt")).exists()
            )
            answer = self._ask(f"Save this game in {free}? y, n or another file name > ").strip()
            if answer.lower() in ("", "n", "no"):
                return
            try:
                self._write(free if answer.lower() in ("y", "yes") else Path(answer).expanduser())
            except OSError as error:
                self._say(reason(error), "red")
            else:
                return

    def _write(self, file: Path) -> None:
        """Save the game. Raise `OSError` if the file exists, unless it is this game's own."""
        text = self.session.write()
        with file.open("w" if file.resolve() in self._own else "x", encoding="utf-8") as opened:
            opened.write(text)
        self._own.add(file.resolve())
        self._saved = text
        over = self.session.game.is_over and self.session.is_last
        then = "view it: kingdomino show" if over else "continue: kingdomino play --resume"
        self._say(f"saved in {file}; to {then} {shlex.quote(str(file))}")

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style))
