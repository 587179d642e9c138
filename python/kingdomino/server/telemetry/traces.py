"""Traces of requests, commands, commits and the bots' turns, by OpenTelemetry if it is installed and configured.

The standard variables of the environment say where traces go and how many (docs/guides/hosting.md). Without them a span
costs next to nothing. No span has the name of a person, an address or a secret.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import entry_points
from threading import Thread
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeAlias

import kingdomino as kd
from kingdomino.server.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span as Recorded

__all__ = ["Parent", "Span", "Traces", "current_trace"]

_ENABLING: Final = (
    "OTEL_TRACES_EXPORTER",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
)
"""Any of them asks for traces."""
_PROTOCOLS: Final = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}
_EXPORTERS: Final = "opentelemetry_traces_exporter"
"""The group of entry points that exporters are installed under."""
_ENDING: Final = 2.0
"""Seconds to send the last spans. A collector that is away would hold the server up for 30."""

_log = logging.getLogger(__name__)
_recorded: ContextVar[Recorded | None] = ContextVar("recorded", default=None)

Value: TypeAlias = str | int | float | bool
Parent: TypeAlias = "Context | None"
"""What a span can be continued from, in another task or process. `None`: nothing, so the span begins a trace."""


class Span(Protocol):
    """A part of a trace."""

    def set_attribute(self, key: str, value: Value) -> None:
        """Add a fact."""

    def update_name(self, name: str) -> None:
        """Change the name."""


class _NoSpan:
    """A span that is not recorded."""

    def set_attribute(self, key: str, value: Value) -> None:
        """Do nothing."""

    def update_name(self, name: str) -> None:
        """Do nothing."""


_NO_SPAN: Final = _NoSpan()


class Traces:
    """Makes spans; without a provider it makes none."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._provider = provider
        self._tracer = None if provider is None else provider.get_tracer("kingdomino", kd.__version__)

    @classmethod
    def from_environment(cls, service: str) -> Self:
        """Send traces where the environment says, under the name of this service if it says no other.

        Without OpenTelemetry there are none, and the log says so. Raises `SettingsError` for an unknown exporter.
        """
        names = os.environ.get("OTEL_TRACES_EXPORTER", "otlp").split(",")
        exporters = [name.strip() for name in names if name.strip() not in ("", "none")]
        is_disabled = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
        if is_disabled or not exporters or not any(os.environ.get(name) for name in _ENABLING):
            return cls()
        try:
            from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError:
            _log.warning("there are no traces: they need pip install 'kingdomino[telemetry]'")
            return cls()
        resource = Resource.create({SERVICE_VERSION: kd.__version__})
        if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: service}))
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        for name in exporters:
            provider.add_span_processor(BatchSpanProcessor(_exporter(name)()))
        return cls(provider)

    def close(self) -> None:
        """Send what is left, as far as a collector takes it in time."""
        if self._provider is not None:
            ending = Thread(target=self._provider.shutdown, name="last traces", daemon=True)
            ending.start()
            ending.join(_ENDING)

    @contextmanager
    def span(self, name: str, **attributes: Value | None) -> Iterator[Span]:
        """Make a part of the current span. Attributes that are `None` are left out."""
        if self._tracer is None:
            yield _NO_SPAN
        else:
            with self._recording(name, None, attributes) as span:
                yield span

    @contextmanager
    def continued(self, name: str, parent: Parent, **attributes: Value | None) -> Iterator[Span]:
        """Make a part of a span of another task or process, or without a parent a new trace."""
        if self._tracer is None:
            yield _NO_SPAN
        else:
            from opentelemetry.context import Context

            with self._recording(name, Context() if parent is None else parent, attributes) as span:
                yield span

    def parent(self) -> Parent:
        """Give the current span, so that another task can continue it."""
        if self._tracer is None:
            return None
        from opentelemetry.context import get_current

        return get_current()

    def written(self) -> str | None:
        """Write the current span as text, so that another process can continue it (W3C's `traceparent`)."""
        if self._tracer is None:
            return None
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        carrier: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carrier)
        return carrier.get("traceparent")

    def read(self, text: str | None) -> Parent:
        """Read what `written` wrote."""
        if self._tracer is None or text is None:
            return None
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        return TraceContextTextMapPropagator().extract({"traceparent": text})

    @contextmanager
    def _recording(
        self, name: str, context: Context | None, attributes: dict[str, Value | None]
    ) -> Iterator[Span]:
        from opentelemetry.trace import Status, StatusCode

        assert self._tracer is not None
        facts = {f"kingdomino.{key}": value for key, value in attributes.items() if value is not None}
        # An error's message may have what a log must not have.
        with self._tracer.start_as_current_span(
            name, context, attributes=facts, record_exception=False, set_status_on_exception=False
        ) as span:
            outer = _recorded.set(span)
            try:
                yield span
            except Exception as error:
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise
            finally:
                _recorded.reset(outer)


def current_trace() -> str | None:
    """Give the id of the trace that is being recorded here and now; a task that outlives its span has none."""
    span = _recorded.get()
    return f"{span.get_span_context().trace_id:032x}" if span is not None and span.is_recording() else None


def _exporter(name: str) -> Callable[[], SpanExporter]:
    """Find an exporter that is installed. Raises `SettingsError`."""
    if name == "otlp":
        protocol = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
        protocol = protocol or os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") or "http/protobuf"
        name = _PROTOCOLS.get(protocol, protocol)
    found = {point.name: point for point in entry_points(group=_EXPORTERS)}
    if name not in found:
        known = ", ".join(("none", "otlp", *sorted(found)))
        raise SettingsError(f"OTEL_TRACES_EXPORTER: {name!r} is not installed (these are: {known})")
    exporter: Callable[[], SpanExporter] = found[name].load()
    return exporter
