"""The facts of a run: enough to repeat it, and nothing about whose machine it was."""

import getpass
import platform
from pathlib import Path

import kingdomino as kd
from kingdomino.arena.facts import Facts, available_cores, gather


def test_facts_say_what_a_result_depends_on() -> None:
    facts = gather("kingdomino arena run x", "local", 2)
    assert (facts.command, facts.on, facts.jobs) == ("kingdomino arena run x", "local", 2)
    assert facts.version == kd.__version__
    assert facts.cores == available_cores() >= 1
    assert facts.processor
    assert Facts(**facts.to_mapping()) == facts


def test_facts_name_no_host_no_user_and_no_home() -> None:
    words = str(gather("x", "local", None).to_mapping().values()).split("'")
    assert not {platform.node(), getpass.getuser(), str(Path.home())} & set(words)
