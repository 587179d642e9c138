"""Measures the engine for JavaScript and writes docs/evidence/page.md: `python -m benches.page`.

Node, Chromium and the native engine take turns in short slices. The best slice of each counts, so that other
load matters little. Two workers need two quiet cores.
"""

from __future__ import annotations

import gzip
import os
import time
from datetime import date
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, Final

import brotli
from playwright.sync_api import Page, sync_playwright

import kingdomino as kd
from benches.node import in_node
from benches.run import machine, write_page

ROOT: Final = Path(__file__).parents[1]
_STATIC: Final = ROOT / "python/kingdomino/server/static"
_SLICES: Final = 30
_WORK: Final = {"random": 8_000, "greedy": 1_200, "tuned": 1_000, "search": 800}
_START: Final = kd.Position.parse(
    "kd1 2.second.random.harmony.middle 0 claim:1 4,11,27,38 - 1-3,5-10,12-26,28-37,39-48 C;C"
)
# One slice of work, in milliseconds.
_SLICE: Final = """(call, kind, n, position) => {
  const begin = performance.now();
  if (kind === "search") {
    const search = call("search", { position, seed: 1 });
    call("run", { search, playouts: n });
    call("free", { search });
  } else call("playouts", { position, n, policy: kind, seed: 1 });
  return performance.now() - begin;
}"""
_BEGIN: Final = f"""async () => {{
  const begin = performance.now();
  const {{ instantiate }} = await import("/engine/engine.js");
  const call = await instantiate(await WebAssembly.compileStreaming(fetch("/engine/kingdomino.wasm")));
  call("rules", {{ rules: "2.second.random" }});
  const slice = {_SLICE};
  window.slice = (kind, n, position) => slice(call, kind, n, position);
  return performance.now() - begin;
}}"""
# Searches until the tree is full, and returns the memory of the instance in megabytes.
_MEMORY: Final = """async (position) => {
  const { instantiate } = await import("/engine/engine.js");
  const module = await WebAssembly.compileStreaming(fetch("/engine/kingdomino.wasm"));
  const make = WebAssembly.instantiate;
  let instance;
  WebAssembly.instantiate = async (...asked) => (instance = await make(...asked));
  const call = await instantiate(module);
  WebAssembly.instantiate = make;
  const search = call("search", { position, seed: 1 });
  while (call("run", { search, playouts: 1000 }) === "limit");
  return instance.exports.memory.buffer.byteLength / 1e6;
}"""
# Searches for a time in this many workers, and returns their playouts a second together.
_WORKERS: Final = """async ([count, position]) => {
  const source = `
    import { instantiate } from "${location.origin}/engine/engine.js";
    const module = await WebAssembly.compileStreaming(fetch("${location.origin}/engine/kingdomino.wasm"));
    const call = await instantiate(module);
    onmessage = ({ data: { position, tree } }) => {
      const search = call("search", { position, seed: 1, tree });
      call("run", { search, playouts: 4000 });
      const begin = performance.now();
      let made = 0;
      for (; performance.now() - begin < 2000; made += 100) call("run", { search, playouts: 100 });
      postMessage(made / (performance.now() - begin) * 1000);
    };
    postMessage("ready");`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const workers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve) => {
    const worker = new Worker(address, { type: "module" });
    worker.onmessage = () => resolve(worker);
  })));
  const rates = await Promise.all(workers.map((worker, tree) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ position, tree });
  })));
  workers.forEach((worker) => worker.terminate());
  return rates.reduce((sum, rate) => sum + rate);
}"""


def _native(kind: str, n: int) -> float:
    begin = time.perf_counter()
    if kind == "search":
        kd.Search(_START, seed=1).run(playouts=n, threads=1)
    else:
        kd.playouts(_START, n=n, policy=kind, threads=1, seed=1)  # type: ignore[arg-type]
    return time.perf_counter() - begin


def _rates(page: Page) -> dict[str, list[float]]:
    """Return the playouts a second of Node, Chromium and the native engine, by kind of work."""

    def in_page(kind: str, n: int) -> float:
        took: float = page.evaluate("(asked) => window.slice(...asked)", [kind, n, _START.to_text()])
        return took / 1000

    best: dict[str, list[float]] = {kind: [0.0] * 3 for kind in _WORK}
    with in_node(f"(call, asked) => ({_SLICE})(call, ...asked)") as ask:

        def by_node(kind: str, n: int) -> float:
            return float(ask([kind, n, _START.to_text()])) / 1000

        for _ in range(_SLICES):
            for kind, n in _WORK.items():
                for place, run in enumerate((by_node, in_page, _native)):
                    best[kind][place] = max(best[kind][place], n / run(kind, n))
    return best


class _Files(SimpleHTTPRequestHandler):
    def send_head(self) -> BytesIO | BinaryIO | None:
        """Answer as the server does: the engine's files are compressed."""
        if not self.path.endswith(".wasm"):
            return super().send_head()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/wasm")
        self.send_header("Content-Encoding", "br")
        self.end_headers()
        return BytesIO(Path(f"{self.translate_path(self.path)}.br").read_bytes())

    def log_message(self, *_: Any) -> None:  # noqa: ANN401
        """Say nothing."""


def main() -> None:
    """Measure, and write the page."""
    sent = (_STATIC / "engine/kingdomino.wasm.br").read_bytes()
    wasm = brotli.decompress(sent)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=_STATIC))
    Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--disable-gpu"])
        version, page = browser.version, browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/offline.html")
        starts = [page.evaluate(_BEGIN) for _ in range(5)]
        memory = page.evaluate(_MEMORY, _START.to_text())
        load = os.getloadavg()[0]
        slow = page.context.new_cdp_session(page)
        rates = _rates(page)
        one, two = (
            max(page.evaluate(_WORKERS, [count, _START.to_text()]) for _ in range(3)) for count in (1, 2)
        )
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        phone = page.evaluate("(asked) => window.slice(...asked)", ["search", 2_000, _START.to_text()])
        browser.close()
    server.shutdown()
    rows = [
        ("the engine, raw, gzip, brotli", _sizes(wasm, sent), "", ""),
        ("fetch, compile and first call in Chromium", f"{min(starts):.0f} to {max(starts):.0f} ms", "", ""),
    ]
    for kind, (node, chromium, native) in rates.items():
        wanted = "0.80" if kind == "search" else ""
        figure = (
            f"{node:,.0f} ({node / native:.2f}), {chromium:,.0f} ({chromium / native:.2f}), {native:,.0f}"
        )
        reached = "" if not wanted else "yes" if min(node, chromium) / native >= 0.8 else "no"
        name = "searches" if kind == "search" else f"{kind} playouts"
        rows.append((f"{name}: a second in Node, in Chromium (over native), native", figure, wanted, reached))
    scaling = two / one
    rows += [
        (
            "two workers over one, searching in Chromium",
            f"{scaling:.2f}: {two:,.0f} and {one:,.0f} playouts a second"
            if load < 1
            else "the machine was busy",
            "1.80",
            ("yes" if scaling >= 1.8 else "no") if load < 1 else "",
        ),
        (
            "memory of a search whose tree is full",
            f"{memory:.0f} MB",
            "150 MB",
            "yes" if memory <= 150 else "no",
        ),
        (
            "2,000 playouts with a processor slowed 4 times",
            f"{phone / 1000:.2f} s",
            "2 s",
            "yes" if phone < 2000 else "no",
        ),
    ]
    lines = [
        "# The engine in the page",
        "",
        f"- A search in Chromium is **{rates['search'][1] / rates['search'][2]:.2f} times** as fast as the native one",
        f"- The engine begins within **{max(starts):.0f} ms**; {_sizes(wasm, sent).rpartition(', ')[2]} are sent",
        f"- A search whose tree is full takes **{memory:.0f} MB**",
        "",
        "Written by `python -m benches.page`. Node, Chromium and the native engine take turns in slices of some 10 ms.",
        f"The best of {_SLICES} counts: other programs only make a slice slower. One position of two players.",
        "",
        f"- machine: {machine()}; load before {load:.1f}",
        f"- kingdomino {kd.__version__}, Chromium {version}",
        f"- measured: {date.today().isoformat()}",
        "",
        "| what | figure | target | reached |",
        "|---|---|---|---|",
    ]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    write_page(ROOT / "docs/evidence/page.md", "\n".join([*lines, ""]))


def _sizes(wasm: bytes, sent: bytes) -> str:
    sizes = (len(wasm), len(gzip.compress(wasm)), len(sent))
    return ", ".join(f"{size / 1000:,.0f} KB" for size in sizes)


if __name__ == "__main__":
    main()
