"""Log lines: one for each record, with only those fields that are known to be harmless."""

import asyncio
import io
import json
import logging
import sys

import pytest
from starlette.types import Message, Receive, Scope, Send

from kingdomino.server.log import FIELDS, JsonLine, Line, RequestLog, configure


def line(message: str, **extra: object) -> str:
    record = logging.makeLogRecord(
        {"name": "kingdomino.server.run", "levelname": "INFO", "msg": message, **extra}
    )
    return Line().format(record)


def test_a_line_has_its_fields_in_order() -> None:
    written = line("a bot failed", ms=12, bot="greedy:seed=3", table="q3v7n2kd8wjm")
    assert written.startswith("time=")
    assert written.endswith(
        ' level=info at=server.run event="a bot failed" table=q3v7n2kd8wjm bot="greedy:seed=3" ms=12'
    )


def test_unlisted_fields_are_not_written() -> None:
    assert "hush" not in line("seated", secret="hush", body="hush", deck="hush", cookie="hush")
    assert not {"secret", "deck", "opening", "body", "query", "cookie", "user"} & set(FIELDS)


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


def test_a_line_of_json_has_the_same_fields() -> None:
    record = logging.makeLogRecord({"name": "kingdomino.server", "levelname": "INFO", "msg": "two\nlines"})
    record.status, record.deck = 404, [17, 4]
    written = JsonLine().format(record)
    assert written.count("\n") == 0
    assert json.loads(written) == Line().fields(record)
    assert json.loads(written) | {"time": None} == {
        "time": None,
        "level": "info",
        "at": "server",
        "event": "two\nlines",
        "status": 404,
    }


async def test_lines_logged_during_a_request_have_its_id_and_later_lines_have_none(
    caplog: pytest.LogCaptureFixture, written: io.StringIO
) -> None:
    later: list[asyncio.Task[None]] = []
    may_go_on = asyncio.Event()

    async def go_on() -> None:
        await may_go_on.wait()
        logging.getLogger("kingdomino").warning("later")

    async def app(_: Scope, __: Receive, send: Send) -> None:
        logging.getLogger("kingdomino").warning("during")
        later.append(asyncio.create_task(go_on()))
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask() -> str:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/api/me"}
        await RequestLog(app)(scope, None, send)  # type: ignore[arg-type]
        ((name, value),) = sent[0]["headers"]
        assert name == b"x-request-id"
        return str(value.decode())

    caplog.set_level("INFO", logger="kingdomino")
    ids = [await asyncio.create_task(ask()) for _ in range(2)]
    may_go_on.set()
    await asyncio.gather(*later)
    assert len(set(ids)) == 2
    events = [line.partition("event=")[2].split()[:2] for line in written.getvalue().splitlines()]
    assert events[:4] == [[event, f"request={one}"] for one in ids for event in ("during", "request")]
    assert events[4:] == [["later"], ["later"]]


def test_other_packages_are_logged_from_warnings_on(capsys: pytest.CaptureFixture[str]) -> None:
    configure(logging.INFO)
    logging.getLogger("kingdomino.server").info("ours")
    logging.getLogger("uvicorn.error").info("theirs")
    logging.getLogger("uvicorn.error").warning("their trouble")
    written = capsys.readouterr().err
    assert "event=ours" in written
    assert "their trouble" in written
    assert "event=theirs" not in written
