"""Metrics: their values, the address for Prometheus, and their names in the guide, the dashboard and the alerts."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.clients import Server, changed, opened

import kingdomino as kd
from kingdomino.server.settings import Limits, Listener, Rate, Settings
from kingdomino.server.telemetry import Metrics, serving
from tools import metrics_table, settings_table

DEPLOY = Path(__file__).parents[2] / "deploy"
DASHBOARD = DEPLOY / "grafana/kingdomino.json"
ALERTS = DEPLOY / "alerts.yml"
NAME = re.compile(r"\b(?:kingdomino|process)_\w+")


def value(server: Server, name: str, **labels: str) -> float:
    metrics: Metrics = server.app.state.metrics
    return metrics.registry.get_sample_value(f"kingdomino_{name}", labels) or 0.0


def samples(metrics: Metrics) -> Iterator[str]:
    """Return the names that a query may use."""
    suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "info": ["_info"]}
    for family in metrics.registry.collect():
        yield from (family.name + suffix for suffix in suffixes.get(family.type, [""]))


async def test_a_game_is_counted_by_who_acts_and_by_its_events(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
    events = await ida.play(table)
    for by in ("person", "bot"):
        assert value(server, "actions_total", by=by) == sum(event.get("by") == by for event in events)
    for kind in ("created", "placed", "finished"):
        assert value(server, "events_total", kind=kind) == sum(event["kind"] == kind for event in events)
    assert value(server, "tables") == 1
    assert value(server, "commit_seconds_count", result="committed") > 0
    turns = value(server, "bot_seconds_count", lane="quick")
    assert turns > 0
    assert value(server, "bot_wait_seconds_count", lane="quick") == turns
    assert value(server, "bots_thinking", lane="quick") == 0


async def test_requests_are_counted_by_route_so_that_clients_cannot_add_to_the_labels(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "open")
    await ida.table(table)
    assert (await ida.send("GET", "/api/nothing")).status_code == 404
    assert (await ida.send("WILD", "/api/me")).status_code == 405
    assert (await ida.send("GET", "/rules")).status_code == 200
    answers = {
        ("POST", "/api/tables", "201"),
        ("GET", "/api/tables/{table}", "200"),
        ("GET", "none", "404"),
        ("GET", "page", "200"),
    }
    for method, route, status in answers:
        assert value(server, "http_requests_total", method=method, route=route, status=status) == 1
    assert value(server, "http_request_seconds_count", method="GET", route="/api/tables/{table}") == 1
    counted = {
        sample.labels["method"]
        for family in server.app.state.metrics.registry.collect()
        if family.name == "kingdomino_http_requests"
        for sample in family.samples
    }
    assert counted == {"GET", "POST", "other"}


async def test_refusals_are_counted_by_code_wherever_they_are_made(settings: Settings) -> None:
    strict = changed(settings, limits=Limits(play=Rate(0.001, 2), of_address=1))
    async with opened(strict) as server:
        ida = server.client()
        await ida.refused("GET", "/api/tables/nothing")  # by a route
        await ida.send("POST", "/api/tables", headers={"origin": "http://evil.test"})  # by the middleware
        async with ida.follow("nothing") as socket:  # by a socket
            assert await socket.until_closed() == 4404
        await ida.refused("GET", "/api/tables/nothing")  # by a limit
        for code in ("other_origin", "too_often"):
            assert value(server, "refusals_total", code=code) == 1
        assert value(server, "refusals_total", code="no_table") == 2


async def test_open_sockets_are_counted(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "open")
    async with ida.follow(table), server.client().follow(table):
        assert value(server, "sockets") == 2
    assert value(server, "sockets") == 0
    assert value(server, "sockets_opened_total") == 2


async def test_two_servers_in_one_process_count_for_themselves(server: Server, settings: Settings) -> None:
    async with opened(settings) as other:
        await other.client().create("me", "open")
        assert value(other, "events_total", kind="created") == 1
        assert value(server, "events_total", kind="created") == 0


async def test_metrics_are_read_on_a_port_of_their_own_and_nowhere_else(server: Server) -> None:
    metrics: Metrics = server.app.state.metrics
    await server.client().create("me", "open")
    with serving(Listener(port=0), metrics) as address:
        assert address is not None
        assert address.startswith("http://127.0.0.1:")

        def read() -> str:
            with urlopen(address, timeout=20) as answer:
                return str(answer.read().decode())

        text = await asyncio.to_thread(read)
    assert "kingdomino_tables 1.0\n" in text
    assert f'kingdomino_info{{version="{kd.__version__}"}} 1.0\n' in text
    assert (await server.client().send("GET", "/metrics")).status_code == 404


def test_without_a_port_metrics_are_not_served_and_a_taken_port_is_named() -> None:
    with serving(Listener(), Metrics()) as address:
        assert address is None
    with serving(Listener(port=0), Metrics()) as address:
        assert address is not None
        port = int(address.split(":")[2].split("/")[0])
        with pytest.raises(OSError, match=rf"^metrics\.port: 127\.0\.0\.1, port {port}: this port is taken$"):
            serving(Listener(port=port), Metrics()).__enter__()


def test_the_guide_lists_every_metric_with_its_labels_and_its_meaning() -> None:
    guide = settings_table.GUIDE.read_text(encoding="utf-8")
    assert metrics_table.table() in guide, "python -m tools.metrics_table writes it"
    described = {name for name, *_ in Metrics().described}
    ours = {name for name in samples(Metrics()) if name.startswith("kingdomino_")}
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in ours} == described


def test_the_dashboard_asks_only_for_metrics_that_exist_and_for_all_that_are_ours() -> None:
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    asked = {name for query in queries for name in NAME.findall(query)}
    known = set(samples(Metrics()))
    assert asked - known == set()
    shown = {re.sub("_(bucket|sum|count)$", "", name) for name in asked}
    assert {name for name, *_ in Metrics().described} - shown == set()


def test_alerts_ask_only_for_metrics_that_exist_and_the_guide_explains_each() -> None:
    rules = ALERTS.read_text(encoding="utf-8")
    asked = set(NAME.findall(rules))
    assert asked
    assert asked - set(samples(Metrics())) == set()
    guide = settings_table.GUIDE.read_text(encoding="utf-8")
    assert re.findall(r"alert: (\w+)", rules) == re.findall(r"^\| `(Kingdomino\w+)` \|", guide, re.MULTILINE)


async def test_refusals_that_alerts_count_start_at_zero(server: Server) -> None:
    """Prometheus sees no increase in the first value of a new series."""
    codes = re.findall(r'refusals_total\{code="(\w+)"', ALERTS.read_text(encoding="utf-8"))
    assert {"too_many_tables", "too_many_bots", "failed"} <= set(codes)
    read = server.app.state.metrics.registry.get_sample_value  # None for a series that has not begun
    assert [read("kingdomino_refusals_total", {"code": code}) for code in codes] == [0] * len(codes)
