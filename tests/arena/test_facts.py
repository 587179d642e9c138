"""Information on a run: enough to repeat it, and nothing about the machine's owner."""

import getpass
import platform
from dataclasses import asdict
from pathlib import Path

import kingdomino as kd
from kingdomino.arena.store import RunInfo
from kingdomino.machine import available_cores, processor


def test_a_run_names_everything_that_affects_its_results() -> None:
    info = RunInfo.of_this_machine("kingdomino arena run x", "local", 2, "3f2c1a9b8d7e")
    assert (info.command, info.on, info.jobs) == ("kingdomino arena run x", "local", 2)
    assert info.version == kd.__version__
    assert info.cores == available_cores() >= 1
    assert info.processor == processor() != ""
    assert info.build == f"{kd.__version__} (3f2c1a9b8d7e)"
    assert RunInfo(**asdict(info)) == info


def test_a_run_names_no_host_no_user_and_no_home() -> None:
    words = str(asdict(RunInfo.of_this_machine("x", "local", None, None)).values()).split("'")
    assert not {platform.node(), getpass.getuser(), str(Path.home())} & set(words)
