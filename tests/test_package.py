"""The package as a whole: exports, imports, docstrings."""

import ast
import inspect
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import kingdomino as kd
from kingdomino import _core, errors, evaluation, events, values
from tools.stub_docs import STUB, documented

PACKAGE = Path(kd.__file__).parent
SLOW = {"asyncio", "email", "http", "inspect", "logging", "multiprocessing", "sqlite3", "subprocess", "xml"}


def loaded_by(code: str) -> set[str]:
    """Return the modules that this code adds to a fresh interpreter."""
    report = f"import sys; before = set(sys.modules); {code}; print(*set(sys.modules) - before)"
    result = subprocess.run([sys.executable, "-c", report], check=True, capture_output=True, text=True)
    return set(result.stdout.split())


def test_importing_the_package_loads_nothing_but_the_standard_library() -> None:
    roots = {name.partition(".")[0] for name in loaded_by("import kingdomino")}
    assert roots - sys.stdlib_module_names == {"kingdomino"}
    assert not roots & SLOW


def test_pictures_texts_and_bots_are_loaded_when_they_are_first_used() -> None:
    lazy = {f"kingdomino.{name}" for name in ("analysis", "bots", "games", "photo", "svg", "text")}
    assert not lazy & loaded_by("import kingdomino")
    assert lazy <= loaded_by(
        "import kingdomino as kd; kd.analysis, kd.bots, kd.games, kd.photo, kd.svg, kd.text"
    )


def test_all_lists_everything_public() -> None:
    def public(module: ModuleType) -> set[str]:
        return {
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and inspect.getmodule(value) in (module, None)
        } - {"TYPE_CHECKING"}

    arrays = {"Batch", "observation_fields", "observe", "rewards"}  # kingdomino.envs has them
    policies = {"choose", "choose_by_playouts", "level_move"}  # kingdomino.bots has them
    review = {
        "Judging",
        "Story",
        "best_arrangement",
        "daily_puzzle",
        "read_puzzles",
        "reasons",
        "summary",
        "worth",
    }  # kingdomino.analysis consists of them
    photo = {"Taught", "photo_read", "photo_teach"}  # kingdomino.photo consists of them
    table = {
        name for name in _core.__all__ if name.startswith("table_")
    }  # the server's tables consist of them
    engine = set(_core.__all__) - {"DEBUG"} - arrays - policies - review - photo - table
    modules = {"analysis", "bots", "games", "photo", "svg", "text"}
    aliases = {"ChanceEvent", "Coordinates", "GameEvent"}
    defined = public(values) | public(evaluation) | public(events) | public(errors)
    assert set(kd.__all__) == engine | defined | aliases | modules


BLOCKED = "import sys; sys.modules.update(dict.fromkeys(['matplotlib', 'scipy', 'gymnasium']))"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "from kingdomino.arena import store",
            "the arena needs matplotlib, scipy, not installed here",
        ),
        ("from kingdomino.envs import KingdominoEnv", "kingdomino.envs.KingdominoEnv needs gymnasium"),
        ("from kingdomino.envs import kingdomino_v1", "kingdomino.envs.kingdomino_v1 needs gymnasium"),
    ],
)
def test_errors_for_missing_packages_give_the_install_command(code: str, said: str) -> None:
    result = subprocess.run(
        [sys.executable, "-c", f"{BLOCKED}; {code}"], check=False, capture_output=True, text=True
    )
    last = result.stderr.strip().splitlines()[-1]
    assert said in last
    assert ": pip install 'kingdomino[" in last


def installed_with_the_library() -> set[str]:
    """Name the distributions that `pip install kingdomino` installs."""
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    names, due = {"kingdomino"}, [Requirement(text) for text in project["dependencies"]]
    while due:
        wanted = due.pop()
        if (name := canonicalize_name(wanted.name)) not in names:
            names.add(name)
            more = map(Requirement, requires(name) or ())
            due += [one for one in more if one.marker is None or one.marker.evaluate({"extra": ""})]
    return names


def run_as_a_library(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code that can import only the packages that `pip install kingdomino` installs."""
    installed = installed_with_the_library()
    modules = packages_distributions().items()
    blocked = [name for name, of in modules if not installed & set(map(canonicalize_name, of))]
    program = f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n{code}"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def test_the_library_needs_no_package_of_the_extras() -> None:
    extras = {"server", "arena", "examples"}
    learning = {"gym_single", "gym_vector", "kingdomino_v1", "openspiel", "spaces"}
    modules = [
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
        if not extras & set(path.relative_to(PACKAGE).parts[:1]) and path.stem not in learning
    ]
    assert "kingdomino.cli.app" in modules
    done = run_as_a_library(f"import importlib\nfor name in {modules!r}: importlib.import_module(name)")
    assert (done.returncode, done.stderr) == (0, "")


RUN = "import sys; from kingdomino.cli import main; sys.exit(main())"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "play --terminal --seat greedy --seat greedy",
        "simulate --games 1 --bots greedy,random",
        "show w1C",
        "arena run --help",
        "serve --help",
    ],
)
def test_the_commands_of_the_library_run_without_the_server(command: str) -> None:
    done = run_as_a_library(RUN, *command.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "serve", "worker", "backup x", "restore x", "restore x --check"])
def test_without_the_server_its_commands_name_the_package_to_install(command: str) -> None:
    done = run_as_a_library(RUN, *command.split())
    said = "kingdomino: this needs the server, which is not installed: pip install 'kingdomino[server]'"
    more = ", or play in this terminal: kingdomino play --terminal" if command == "play" else ""
    assert (done.returncode, done.stderr) == (2, f"{said}{more}\n")


def test_every_public_method_and_property_has_a_docstring() -> None:
    silent = [
        f"{name}.{member}"
        for name in kd.__all__
        if inspect.isclass(value := getattr(kd, name))
        for member in vars(value)
        if not member.startswith("_") and not inspect.getdoc(getattr(value, member))
    ]
    assert not silent


def test_the_engine_is_a_release_build() -> None:
    assert not _core.DEBUG


def test_a_debug_build_is_named_as_one() -> None:
    code = "import sys, kingdomino._core as core; core.DEBUG = True; del sys.modules['kingdomino']"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}; import kingdomino"], check=True, capture_output=True, text=True
    )
    assert "debug build of kingdomino" in result.stderr


def test_the_stub_has_the_engines_docstrings() -> None:
    stub = STUB.read_text(encoding="utf-8")
    assert documented(stub) == stub, "run `make format`"
    for node in ast.walk(ast.parse(stub)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            overloaded = any(getattr(one, "id", "") == "overload" for one in node.decorator_list)
            assert overloaded or ast.get_docstring(node), f"{node.name} has no docstring"
