"""What operators can watch: metrics for Prometheus, and traces for OpenTelemetry.

Each server passes its own `Telemetry` to its parts. Two servers in one process share nothing.
"""

from dataclasses import dataclass, field

from kingdomino.server.telemetry.metrics import Metrics, serving
from kingdomino.server.telemetry.traces import Traces

__all__ = ["Metrics", "Telemetry", "Traces", "serving"]


@dataclass(frozen=True)
class Telemetry:
    """The metrics of one server, and its traces (by default none)."""

    metrics: Metrics = field(default_factory=Metrics)
    traces: Traces = field(default_factory=Traces)
