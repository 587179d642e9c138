"""Traces: which work becomes a span, how spans link to each other, and what no span contains."""

import io
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread
from typing import ClassVar

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from support.clients import Clock, Server

from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings, SettingsError
from kingdomino.server.telemetry import Telemetry, Traces
from kingdomino.server.telemetry.traces import current_trace, parse_parent, traceparent

VARIABLES = (
    "OTEL_TRACES_EXPORTER",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_SDK_DISABLED",
    "OTEL_SERVICE_NAME",
)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def attributes(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


class Recorder:
    """Keeps the ended spans."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.traces = Traces(provider)

    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans() if span.name == name]

    def parent(self, span: ReadableSpan) -> ReadableSpan | None:
        inner = span.parent
        return inner and next(one for one in self.spans() if one.context.span_id == inner.span_id)

    def path(self, span: ReadableSpan | None) -> list[str]:
        return [] if span is None else [*self.path(self.parent(span)), span.name]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
async def traced(settings: Settings, clock: Clock, recorder: Recorder) -> Server:  # type: ignore[misc]
    """Open a server that records its spans."""
    app = create_app(settings, clock, Telemetry(traces=recorder.traces))
    async with app.router.lifespan_context(app):
        yield Server(app)


async def test_a_request_its_command_and_the_commit_are_one_trace(traced: Server, recorder: Recorder) -> None:
    ida = traced.client()
    table = await ida.create("me", "me")
    turn = (await ida.table(table))["turn"]
    await ida.turn(table, turn)
    path = "POST /api/tables/{table}/actions"
    (request,) = recorder.named(path)
    of_request = [span for span in recorder.spans() if span.context.trace_id == request.context.trace_id]
    assert [recorder.path(span) for span in of_request] == [
        [path, "command", "commit"],
        [path, "command"],
        [path],
    ]
    assert attributes(request) == {
        "kingdomino.request": attributes(request)["kingdomino.request"],
        "http.request.method": "POST",
        "http.route": "/api/tables/{table}/actions",
        "http.response.status_code": 200,
    }


async def test_a_bots_turn_is_a_trace_of_its_own(traced: Server, recorder: Recorder) -> None:
    ida = traced.client()
    table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
    await ida.play(table)
    turns = recorder.named("bot turn")
    assert len({span.context.trace_id for span in turns}) == len(turns) > 0
    assert all(span.parent is None for span in turns)
    paths = [recorder.path(span) for span in recorder.spans()]
    assert len(turns) < paths.count(["bot turn", "think"]) <= 2 * len(turns)  # a placement, a claim, or both
    assert paths.count(["bot turn", "command", "commit"]) == len(turns)


async def test_a_line_of_the_log_has_the_trace_of_its_request(
    traced: Server, recorder: Recorder, written: io.StringIO
) -> None:
    await traced.client().create("me", "open")
    (request,) = recorder.named("POST /api/tables")
    (line,) = (line for line in written.getvalue().splitlines() if "event=request" in line)
    assert f"trace={request.context.trace_id:032x}" in line.split()
    assert f"request={attributes(request)['kingdomino.request']}" in line.split()


async def test_a_refusal_is_not_an_error_and_spans_have_no_secrets(
    traced: Server, recorder: Recorder
) -> None:
    ida = traced.client()
    assert (await ida.send("PUT", "/api/me", {"name": "Ida of the hills"})).is_success
    table = await ida.create("me", "invited")
    secret = (await ida.you(table))["invites"][0]["secret"]
    assert await ida.refused("POST", f"/api/tables/{table}/rematch", {"wish": True}) == (409, "not_over")
    await traced.client().post(f"/api/tables/{table}/seats", {"secret": secret, "name": "Bo of the lake"})
    refused = [span for span in recorder.spans() if "kingdomino.refusal" in attributes(span)]
    assert [(span.name, attributes(span)["kingdomino.refusal"]) for span in refused] == [
        ("command", "not_over")
    ]
    assert all(span.status.is_ok or span.status.is_unset for span in recorder.spans())
    text = "".join(span.to_json() for span in recorder.spans())
    assert secret not in text
    assert "hills" not in text
    assert "lake" not in text


def test_an_error_is_recorded_without_its_message(recorder: Recorder) -> None:
    with pytest.raises(ValueError, match="hush"), recorder.traces.span("commit"):
        raise ValueError("hush")
    (span,) = recorder.spans()
    assert not span.status.is_ok
    assert "ValueError" in span.to_json()
    assert "hush" not in span.to_json()


def test_another_process_continues_a_trace(recorder: Recorder) -> None:
    with recorder.traces.span("bot turn"):
        text = traceparent()
    worker = Recorder()
    with worker.traces.continued("job", parse_parent(text)):
        inner = current_trace()
    assert current_trace() is None
    (turn,), (job,) = recorder.spans(), worker.spans()
    assert job.parent is not None
    assert job.parent.span_id == turn.context.span_id
    assert inner == f"{turn.context.trace_id:032x}"


def test_without_a_provider_nothing_is_recorded_and_nothing_is_written() -> None:
    traces = Traces()
    with traces.span("commit", table="q3v7n2kd8wjm"), traces.continued("job", parse_parent("00-1-2-01")):
        assert traceparent() is None
        assert current_trace() is None
    traces.close()


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
        {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
    ],
)
def test_traces_are_only_made_when_the_environment_asks_for_them(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with Traces.from_environment("kingdomino").span("commit"):
        assert traceparent() is None
        assert current_trace() is None


def test_without_opentelemetry_a_server_names_the_package_and_continues(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with Traces.from_environment("kingdomino").span("commit"):
        assert current_trace() is None
    assert "pip install 'kingdomino[telemetry]'" in caplog.text


def test_an_exporter_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "oltp")
    with pytest.raises(SettingsError, match=r"^OTEL_TRACES_EXPORTER: 'oltp' is not installed \(these are: "):
        Traces.from_environment("kingdomino")


class Collector(BaseHTTPRequestHandler):
    """Takes traces as OpenTelemetry's collector does."""

    received: ClassVar[list[ExportTraceServiceRequest]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.received.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("name", [None, "my-club"])
def test_a_collector_gets_the_spans_under_the_name_of_the_service(
    name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name is not None:
        monkeypatch.setenv("OTEL_SERVICE_NAME", name)
    Collector.received.clear()
    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        thread = Thread(target=collector.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        traces = Traces.from_environment("kingdomino-worker")
        with traces.span("job"):
            pass
        traces.close()
        collector.shutdown()
        thread.join()
    (sent,) = (spans for request in Collector.received for spans in request.resource_spans)
    named = {one.key: one.value.string_value for one in sent.resource.attributes}
    assert named["service.name"] == (name or "kingdomino-worker")
    assert [span.name for scope in sent.scope_spans for span in scope.spans] == ["job"]


def test_a_missing_collector_does_not_stop_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingdomino.server.telemetry.traces._ENDING", 0.01)
    ended = Event()
    provider = TracerProvider(shutdown_on_exit=False)
    monkeypatch.setattr(provider, "shutdown", ended.wait)
    Traces(provider).close()
    assert not ended.is_set()
    ended.set()
