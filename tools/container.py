"""Takes the steps of the Dockerfile without a container, and visits the server that comes out.

Each stage is a `Machine`, a copy of this one: it stands for the images that the Dockerfile begins with, and must
have Python and Rust. The steps are run as they are written: `python -m tools.container`. Only root can do it, on Linux.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.machine import Machine

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "deploy/Dockerfile"
HERE: Final = {
    "/usr/local/cargo": Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")),
    "/usr/local/rustup": Path(os.environ.get("RUSTUP_HOME", Path.home() / ".rustup")),
}
"""Where this machine has what the Dockerfile takes from other images."""


class Stage:
    """A stage: its machine, and what the steps so far have set."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
        self.folder, self.user = "/", "root"
        self.words: dict[str, list[str]] = {}

    def run(self, line: str, *, online: bool = False) -> str:
        """Run a line of a shell as the stage's user."""
        line = f"cd {self.folder} && {{ {line}\n}}"
        if self.user != "root":
            line = f"exec setpriv --reuid {self.user} --regid {self.user} --clear-groups bash -c {shlex.quote(line)}"
        return self.machine.run(line, self.environment, online=online)


def steps() -> list[tuple[str, str]]:
    """Read the Dockerfile: its instructions, and what stands behind each."""
    text = re.sub(r"^#.*\n", "", FILE.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [(kind, rest) for line in text.splitlines() if line for kind, _, rest in [line.partition(" ")]]


def take(stage: Stage, kind: str, rest: str, stages: dict[str, Stage]) -> None:
    """Take a step."""
    if kind == "RUN":
        print(f"RUN {rest}", flush=True)
        stage.run(rest, online=True)
    elif kind == "ENV":
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            stage.environment[name] = value.replace("$PATH", stage.environment["PATH"])
    elif kind == "WORKDIR":
        stage.folder = rest
        stage.machine.run(f"mkdir -p {rest}")
    elif kind == "USER":
        where = "import os, sys; print(os.path.realpath(sys.executable))"
        python = Path(stage.run(f"python3 -c {shlex.quote(where)}").strip())  # perhaps in a folder of root's
        stage.machine.run(f"chmod o+x {' '.join(map(str, python.parents))}")
        stage.user = rest
    elif kind == "COPY":
        copy(stage, rest, stages)
    elif kind in ("ENTRYPOINT", "CMD"):
        stage.words[kind] = json.loads(rest)
    elif kind == "HEALTHCHECK":
        _, _, command = rest.partition("CMD ")  # options, like --interval, come before it
        stage.words[kind] = json.loads(command)
    elif kind not in ("ARG", "EXPOSE", "VOLUME"):
        raise ValueError(f"an unknown instruction: {kind}")


def copy(stage: Stage, rest: str, stages: dict[str, Stage]) -> None:
    """Copy from the clone, from another stage, or from an image for which this machine stands."""
    *options, source, target = rest.split()
    if not options:
        ignored = (FILE.with_name("Dockerfile.dockerignore")).read_text("utf-8").splitlines()
        kept = " ".join(shlex.quote(line[1:]) for line in ignored if line.startswith("!"))
        files = f"git -C {ROOT} ls-files -z -- {kept} | tar -C {ROOT} --null -T - -c"
        stage.machine.run(
            f"git config --global --add safe.directory {ROOT}; {files} | tar -x -C {stage.folder}"
        )
    elif (origin := stages.get(options[0].removeprefix("--from="))) is not None:
        whole = str(origin.machine.changes) + source
        shutil.copytree(whole, str(stage.machine.changes) + target, symlinks=True)
    else:
        stage.machine.run(f"ln -s {HERE[source]} {target}")


def visit(stage: Stage) -> None:
    """Start what the image starts, ask for its health, and end it."""
    serving = shlex.join([*stage.words["ENTRYPOINT"], *stage.words["CMD"]])
    stage.machine.run("touch /served && chmod a+w /served")
    stage.run(f"{serving} >/served 2>&1 & echo $! >pid")
    for _ in range(600):
        if "open at" in stage.machine.run("cat /served"):
            break
        time.sleep(0.1)
    stage.run(shlex.join(stage.words["HEALTHCHECK"]))
    print(stage.machine.run("cat /served").splitlines()[0])
    ended = stage.run(
        "kill -TERM $(cat pid); while kill -0 $(cat pid) 2>/dev/null; do sleep 0.1; done; cat /served"
    )
    assert "event=ended" in ended, ended


def main() -> None:
    """Take all steps."""
    stages: dict[str, Stage] = {}
    with ExitStack() as stack:
        stage = None
        for kind, rest in steps():
            if kind == "FROM":
                folder = Path(stack.enter_context(TemporaryDirectory()))
                stage = Stage(stack.enter_context(Machine(folder, ROOT)))
                _, _, name = rest.partition(" AS ")
                stages[name] = stage
            else:
                assert stage is not None
                take(stage, kind, rest, stages)
        assert stage is not None
        visit(stage)
    print("The steps of the Dockerfile give a server.")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"tools.container: {error}")
    except OSError as error:
        print(f"Skipped: this machine cannot be copied ({error})")
