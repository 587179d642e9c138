"""Metrics for Prometheus and traces for OpenTelemetry.

Each server passes its own `Telemetry` to its parts, so several servers in one process stay separate.
"""

from dataclasses import dataclass, field

from kingdomino.server.telemetry.metrics import Metrics, serving
from kingdomino.server.telemetry.traces import Traces

__all__ = ["Metrics", "Telemetry", "Traces", "serving"]


@dataclass(frozen=True)
class Telemetry:
    """The metrics and the traces of one server; by default without traces."""

    metrics: Metrics = field(default_factory=Metrics)
    traces: Traces = field(default_factory=Traces)
