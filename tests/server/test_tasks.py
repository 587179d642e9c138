"""Tasks in the background end, even if one of them loses a cancellation."""

import asyncio
import io

import pytest

from kingdomino.server import tasks
from kingdomino.server.tasks import end_tasks


async def test_a_task_that_loses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_AGAIN", 0)
    lost = 0

    async def work() -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if lost == 2:
                    raise
                lost += 1

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    await end_tasks([task])
    assert task.cancelled()
    assert lost == 2


async def test_errors_of_ending_tasks_are_logged(written: io.StringIO) -> None:
    async def work() -> None:
        raise ValueError

    failed = asyncio.create_task(work(), name="work")
    waiting = asyncio.create_task(asyncio.sleep(3600))
    await asyncio.sleep(0)
    await end_tasks([failed, waiting])
    assert waiting.cancelled()
    assert "a task failed: work" in written.getvalue()
