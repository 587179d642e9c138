"""The metrics of a server or a worker, and the port where Prometheus reads them.

Code updates counters and histograms when something happens; gauges compute their value when they are read, in another
thread. Labels have few possible values, whatever clients send: never an address, a table or a name.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Final, NamedTuple, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)

import kingdomino as kd
from kingdomino.server.settings import Listener

__all__ = ["Described", "Metrics", "serving"]

# Timestamps of when each series began would double the answer, and no query needs them.
disable_created_metrics()  # type: ignore[no-untyped-call]

_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Bucket limits in seconds, for histograms of quick operations."""
_LONG: Final = (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 40)


Metric = TypeVar("Metric", Counter, Gauge, Histogram)


class Described(NamedTuple):
    """A metric's name, kind, meaning and labels."""

    name: str
    kind: str
    labels: dict[str, Sequence[str]]  # with their possible values, if known
    meaning: str


class Metrics:
    """All metrics of a process. ``registry`` exports them to Prometheus; ``described`` documents them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.described: list[Described] = []
        Info("kingdomino", "the program's version", registry=self.registry).info({"version": kd.__version__})
        self._describe("info", "gauge", "1; the program's version", {"version": ()})

        # Requests and sockets.
        self.requests = self._counter("http_requests", "answers to requests", method=(), route=(), status=())
        self.request_seconds = self._histogram(
            "http_request_seconds", "seconds until an answer begins", _QUICK, method=(), route=()
        )
        self.requests_running = self._gauge("http_requests_running", "requests to the API being answered")
        self.refusals = self._counter("refusals", "refusals, by their code (docs/formats/table.md)", code=())
        self.sockets = self._gauge("sockets", "open sockets that follow tables")
        self.sockets_opened = self._counter("sockets_opened", "sockets that were opened")

        # Tables.
        self.tables = self._gauge("tables", "tables in memory")
        self.actions = self._counter(
            "actions", "actions of players, by who chose them", by=("person", "bot", "stand-in")
        )
        self.events = self._counter(
            "events", "events in the tables' logs, by kind (docs/formats/table.md)", kind=()
        )

        # The database.
        self.commit_seconds = self._histogram(
            "commit_seconds",
            "seconds of a transaction that writes; after a conflict with another server the command is run again",
            _QUICK,
            result=("committed", "conflict", "failed"),
        )
        self.writes_waiting = self._gauge("writes_waiting", "writes to tables that wait for the database")
        self.write_wait = self._gauge("write_wait_seconds", "seconds that the oldest of them has waited")
        self.unready = self._gauge("unready", "1: `/ready` refuses; asked every ten seconds")

        # Backups and disks.
        self.backup_age = self._gauge(
            "backup_age_seconds",
            "how old the newest backup in the folder `backups` is; 0 without the setting, +Inf without a backup",
        )
        self.backup_failed = self._gauge("backup_failed", "1: the last backup into that folder failed")
        disks = {"of": ("database", "backups")}
        self.disk_free = self._gauge(
            "disk_free_bytes",
            "free space on the disk of the SQLite file or the backups; 0 if unknown",
            **disks,
        )
        self.disk_size = self._gauge("disk_size_bytes", "the size of that disk", **disks)

        # Bots.
        lanes = {"lane": ("quick", "slow")}
        self.bot_seconds = self._histogram(
            "bot_seconds", "seconds that a bot thought about a turn", _LONG, **lanes
        )
        self.bot_wait = self._histogram(
            "bot_wait_seconds", "seconds that a bot's turn waited for a thread", _LONG, **lanes
        )
        self.bots_thinking = self._gauge("bots_thinking", "bots that think now", **lanes)
        self.bots_waiting = self._gauge("bots_waiting", "bots' turns that wait for a thread", **lanes)
        self.bots_abandoned = self._gauge(
            "bots_abandoned", "threads of bots that did not stop in time and still run", **lanes
        )
        self.bot_failures = self._counter(
            "bot_failures", "turns that a stand-in chose", reason=("late", "error", "no worker")
        )
        self.turns_asked = self._gauge("bot_turns_asked", "bots' turns that workers have been asked for")

        # The event loop.
        self.lag = self._histogram(
            "event_loop_lag_seconds", "seconds by which the event loop was late, ten times a second", _QUICK
        )
        self.pressure = self._gauge(
            "pressure", "the load: from 0.25 on the server refuses some requests, from 1 on all of them"
        )
        ProcessCollector(registry=self.registry)

    # Each label has its possible values, or none if they are not known in advance.

    def _counter(self, name: str, meaning: str, **labels: Sequence[str]) -> Counter:
        self._describe(f"{name}_total", "counter", meaning, labels)
        return _started(Counter(f"kingdomino_{name}", meaning, tuple(labels), registry=self.registry), labels)

    def _gauge(self, name: str, meaning: str, **labels: Sequence[str]) -> Gauge:
        self._describe(name, "gauge", meaning, labels)
        return _started(Gauge(f"kingdomino_{name}", meaning, tuple(labels), registry=self.registry), labels)

    def _histogram(
        self, name: str, meaning: str, buckets: Sequence[float], **labels: Sequence[str]
    ) -> Histogram:
        self._describe(name, "histogram", meaning, labels)
        histogram = Histogram(
            f"kingdomino_{name}", meaning, tuple(labels), buckets=buckets, registry=self.registry
        )
        return _started(histogram, labels)

    def _describe(self, name: str, kind: str, meaning: str, labels: Mapping[str, Sequence[str]]) -> None:
        self.described.append(Described(f"kingdomino_{name}", kind, dict(labels), meaning))


def _started(metric: Metric, labels: Mapping[str, Sequence[str]]) -> Metric:
    """Start every series at 0, because Prometheus sees no increase in the first value of a new series."""
    if all(labels.values()):
        for values in product(*labels.values()):
            if values:
                metric.labels(*values)
    return metric


@contextmanager
def serving(listener: Listener, metrics: Metrics) -> Iterator[str | None]:
    """Serve metrics on their own port from another thread. Yield the address; `None` without a port.

    Raises `OSError` if the port is not available.
    """
    if listener.port is None:
        yield None
        return
    try:
        server, thread = start_http_server(listener.port, listener.host, metrics.registry)
    except OSError as error:
        reason = "this port is taken" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        raise OSError(f"metrics.port: {listener.host}, port {listener.port}: {reason}") from error
    host = f"[{listener.host}]" if ":" in listener.host else listener.host
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
