"""Measures the cost of counting and tracing: ``python -m benches.telemetry``.

It does only a server's work for a request with one turn (two actions and their commit). The fastest of many
runs counts, which reduces the effect of other load. It prints a Markdown table.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable, Sequence
from typing import Final

import typer
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBasedTraceIdRatio, Sampler
from prometheus_client import generate_latest

from kingdomino.server.telemetry import Telemetry, Traces
from kingdomino.server.telemetry.traces import get_current

_RUNS: Final = 50
_ROUTE: Final = ("POST", "/api/tables/{table}/actions")


class _Nowhere(SpanExporter):
    """Discards the spans, to leave out the cost of the network."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:  # noqa: ARG002
        """Discard them."""
        return SpanExportResult.SUCCESS


def main() -> None:
    """Measure, and print the table."""
    plain = Telemetry()
    print("| what | µs |\n|---|---|")
    for name, telemetry in (
        ("a turn: metrics", plain),
        ("a turn: metrics, and one trace in a hundred", _traced(ParentBasedTraceIdRatio(0.01))),
        ("a turn: metrics, and every trace", _traced(ALWAYS_ON)),
    ):
        print(f"| {name} | {_fastest(lambda telemetry=telemetry: _turn(telemetry), 500):.0f} |")  # type: ignore[misc]
    text = generate_latest(plain.metrics.registry)
    seconds = _fastest(lambda: generate_latest(plain.metrics.registry), 5)
    print(f"| Prometheus reads the metrics ({len(text):,} bytes) | {seconds:.0f} |")


def _traced(sampler: Sampler) -> Telemetry:
    provider = TracerProvider(sampler=sampler, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(_Nowhere()))
    return Telemetry(traces=Traces(provider))


def _turn(telemetry: Telemetry) -> None:
    """Count and trace a turn, as the middleware, the actor and the store do."""
    metrics, traces = telemetry.metrics, telemetry.traces
    with traces.continued("request", None, request="c119f69590c0") as request:
        parent = get_current()
        with traces.continued("command", parent, table="q3v7n2kd8wjm"):
            with traces.span("commit", table="q3v7n2kd8wjm", events=2):
                metrics.commit_seconds.labels("committed").observe(0.003)
            for kind in ("placed", "claimed"):
                metrics.events.labels(kind).inc()
                metrics.actions.labels("person").inc()
        metrics.requests.labels(*_ROUTE, 200).inc()
        metrics.request_seconds.labels(*_ROUTE).observe(0.004)
        request.update_name(" ".join(_ROUTE))
        request.set_attribute("http.request.method", "POST")
        request.set_attribute("http.route", _ROUTE[1])
        request.set_attribute("http.response.status_code", 200)


def _fastest(work: Callable[[], object], times: int) -> float:
    """Return the microseconds of the fastest run."""
    return min(timeit.repeat(work, number=times, repeat=_RUNS)) / times * 1e6


if __name__ == "__main__":
    typer.run(main)
