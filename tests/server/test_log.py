"""Log lines: one a record, with what is known to be no secret."""

import logging
import sys

import pytest

from kingdomino.server.log import FIELDS, Line, configure


def line(message: str, **extra: object) -> str:
    record = logging.makeLogRecord(
        {"name": "kingdomino.server.tables.registry", "levelname": "INFO", "msg": message, **extra}
    )
    return Line().format(record)


def test_a_line_has_its_fields_in_order() -> None:
    written = line("a bot failed", bot="greedy:seed=3", table="q3v7n2kd8wjm", ply=12)
    assert written.startswith("time=")
    assert written.endswith(
        ' level=info at=server.tables.registry event="a bot failed" table=q3v7n2kd8wjm ply=12 bot="greedy:seed=3"'
    )


def test_what_is_not_listed_is_not_written() -> None:
    assert "hush" not in line("seated", secret="hush", body="hush", deck="hush", cookie="hush")
    assert not {"secret", "deck", "opening", "salt", "body", "query", "cookie", "user"} & set(FIELDS)


@pytest.mark.parametrize("text", ["two\nlines", 'a "quote"', "a=b", "\x1b[31m", "", "back\\slash"])
def test_nothing_that_a_client_sends_begins_a_new_line(text: str) -> None:
    written = line("request", path=text)
    assert written.count("\n") == 0
    assert "\x1b" not in written


def test_a_traceback_is_part_of_its_line() -> None:
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        written = line("a bot failed", exc_info=sys.exc_info())
    assert written.count("\n") == 0
    assert "ZeroDivisionError" in written


def test_other_packages_are_logged_from_warnings_on(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        configure(logging.INFO)
        logging.getLogger("kingdomino.server").info("ours")
        logging.getLogger("uvicorn.error").info("theirs")
        logging.getLogger("uvicorn.error").warning("their trouble")
        written = capsys.readouterr().err
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        logging.getLogger("kingdomino").setLevel(logging.NOTSET)
    assert "event=ours" in written
    assert "their trouble" in written
    assert "event=theirs" not in written
