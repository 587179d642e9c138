"""Traces of requests, commands, commits and bots' turns, with OpenTelemetry's API.

Without its SDK (the extra ``telemetry``) and its environment variables (docs/guides/hosting.md), nothing is recorded.
Spans contain no person's name, no address and no secret.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import entry_points
from threading import Thread
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from opentelemetry.context import Context, get_current
from opentelemetry.trace import NoOpTracerProvider, Span, Status, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

import kingdomino as kd
from kingdomino.server.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

__all__ = ["Parent", "Span", "Traces", "current_trace", "get_current", "parse_parent", "traceparent"]

_ENABLING: Final = (
    "OTEL_TRACES_EXPORTER",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
)
"""Any one of these variables turns traces on."""
_PROTOCOLS: Final = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}
_EXPORTERS: Final = "opentelemetry_traces_exporter"
"""The group of entry points in which exporters register."""
_ENDING: Final = 2.0
"""Seconds to send the last spans; with an unreachable collector the SDK would wait 30."""

_log = logging.getLogger(__name__)
_propagator: Final = TraceContextTextMapPropagator()

Value: TypeAlias = str | int | float | bool
Parent: TypeAlias = Context | None
"""The span that another task or process continues. ``None`` begins a new trace."""


class Traces:
    """Make spans. Without a provider of the SDK they do nothing."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        self._provider = provider
        self._tracer = (provider or NoOpTracerProvider()).get_tracer("kingdomino", kd.__version__)

    @classmethod
    def from_environment(cls, service: str) -> Self:
        """Configure traces from the environment, with this name of the service by default.

        Log a warning if the SDK is missing. Raise `SettingsError` for an unknown exporter.
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
            _log.warning("traces are off: they need pip install 'kingdomino[telemetry]'")
            return cls()
        resource = Resource.create({SERVICE_VERSION: kd.__version__})
        if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: service}))
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        for name in exporters:
            provider.add_span_processor(BatchSpanProcessor(_exporter(name)()))
        return cls(provider)

    def close(self) -> None:
        """Send the remaining spans, unless the collector is too slow."""
        if self._provider is not None:
            ending = Thread(target=self._provider.shutdown, name="last traces", daemon=True)
            ending.start()
            ending.join(_ENDING)

    def span(self, name: str, **attributes: Value | None) -> AbstractContextManager[Span]:
        """Make a part of the current span. Attributes that are ``None`` are left out."""
        return self.continued(name, get_current(), **attributes)

    @contextmanager
    def continued(self, name: str, parent: Parent, **attributes: Value | None) -> Iterator[Span]:
        """Make a part of the span of another task or process, or without a parent a new trace."""
        facts = {f"kingdomino.{key}": value for key, value in attributes.items() if value is not None}
        # Without exceptions, whose messages may contain secrets.
        with self._tracer.start_as_current_span(
            name, parent or Context(), attributes=facts, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield span
            except Exception as error:
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise


def traceparent() -> str | None:
    """Write the current span as W3C's ``traceparent``, so that another process can continue it."""
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return carrier.get("traceparent")


def parse_parent(text: str | None) -> Parent:
    """Read a ``traceparent``."""
    return None if text is None else _propagator.extract({"traceparent": text})


def current_trace() -> str | None:
    """Return the id of the current trace. A task that outlives its span has none."""
    span = get_current_span()
    return f"{span.get_span_context().trace_id:032x}" if span.is_recording() else None


def _exporter(name: str) -> Callable[[], SpanExporter]:
    """Return an installed exporter. Raise `SettingsError` for another name."""
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
