"""A release: its version and commit, the toolchain, the lock files, all licences, the workflows."""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.cli import version
from tools.licences import PAGE, page

ROOT = Path(__file__).parent.parent
Run = Callable[..., Any]


def read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def test_cargo_python_and_the_changelog_agree_on_the_version() -> None:
    heading = re.search(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading
    assert read_toml("Cargo.toml")["workspace"]["package"]["version"] == kd.__version__ == heading[1]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the module that knows the commit to where it would be in another checkout."""
    folder = tmp_path / "python/kingdomino/cli"
    folder.mkdir(parents=True)
    return Path(shutil.copy(version.__file__, folder))


def commit_known_to(module: Path) -> str | None:
    known: str | None = runpy.run_path(str(module))["commit"]()
    return known


def test_a_program_that_was_built_has_the_commit_of_the_build(copy: Path) -> None:
    assert commit_known_to(copy) is None
    copy.with_name("commit.txt").write_text("3f2c1a9b8d7e\n", encoding="ascii")
    assert commit_known_to(copy) == "3f2c1a9b8d7e"


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_checkout_has_the_commit_that_is_checked_out(copy: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=Ida", "-c", "user.email=ida@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    assert commit_known_to(copy) is None
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message=first"], check=True)
    known = commit_known_to(copy)
    assert known
    assert re.fullmatch(r"[0-9a-f]{12}", known)
    copy.write_text(copy.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert commit_known_to(copy) == f"{known}-dirty"


def test_a_checkout_without_git_has_no_commit(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit_known_to(copy) is None


def test_locked_python_packages_come_from_pypi_and_have_hashes() -> None:
    for package in read_toml("uv.lock")["package"]:
        if package["name"] == "kingdomino":
            continue
        assert package["source"] == {"registry": "https://pypi.org/simple"}
        for file in [*package.get("wheels", []), *filter(None, [package.get("sdist")])]:
            assert file["url"].startswith("https://files.pythonhosted.org/")
            assert file["hash"].startswith("sha256:")


def test_locked_crates_come_from_crates_io_and_have_hashes() -> None:
    foreign = [one for one in read_toml("Cargo.lock")["package"] if not one["name"].startswith("kingdomino-")]
    registry = "registry+https://github.com/rust-lang/crates.io-index"
    assert all(one["source"] == registry and one["checksum"] for one in foreign)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_a_clone_may_be_in_a_folder_whose_name_has_a_space(tmp_path: Path) -> None:
    clone = tmp_path / "my games"
    (clone / "crates").mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", clone)
    planned = subprocess.run(["make", "-n", "dist"], cwd=clone, check=True, capture_output=True, text=True)
    (build,) = [line for line in planned.stdout.splitlines() if " build " in line]
    assert f"CARGO_TARGET_DIR={clone}/target" in shlex.split(build)


TARGET = "lib/rustlib/wasm32-unknown-unknown"
SOURCE = "lib/rustlib/src/rust/library/std"


@pytest.mark.parametrize(
    ("folders", "programs", "can"),
    [
        ([TARGET], {}, True),
        ([], {"rustup": f"/bin/mkdir -p {TARGET}"}, True),
        ([], {"rustup": ""}, False),
        ([SOURCE], {"wasm-ld-22": ""}, True),
        ([SOURCE], {}, False),
        ([], {"wasm-ld-22": ""}, False),
    ],
    ids=[
        "target",
        "rustup",
        "rustup of another toolchain",
        "Debian",
        "Debian, no linker",
        "Debian, no source",
    ],
)
def test_only_a_toolchain_that_can_build_for_webassembly_will_do(
    tmp_path: Path, folders: list[str], programs: dict[str, str], can: bool
) -> None:
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
    for name, does in {"rustc": f"echo {tmp_path}", **programs}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\ncd {tmp_path} && {does or 'true'}\n", encoding="ascii")
        (tmp_path / name).chmod(0o755)
    command = [sys.executable, str(ROOT / "tools/engine.py"), "--check"]
    assert (subprocess.run(command, env={"PATH": str(tmp_path)}, check=False).returncode == 0) == can


def test_the_page_of_licences_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_action_of_the_workflows_is_pinned_to_a_commit() -> None:
    workflows = [path.read_text(encoding="utf-8") for path in ROOT.glob(".github/workflows/*.yml")]
    used = re.findall(r"uses: (.*)", "".join(workflows))
    assert used
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", action) for action in used)


def test_a_release_that_is_started_by_hand_publishes_nothing() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    jobs = re.split(r"\n\n  (?=\w+:\n)", text.partition("\njobs:\n")[2])
    publishing = [job for job in jobs if ": write" in job]
    assert len(publishing) == 3
    assert all("\n    if: github.event_name == 'push'\n" in job for job in publishing)


def test_a_release_missing_from_the_changelog_is_refused() -> None:
    command = [str(ROOT / ".ci/notes"), "9.9.9"]
    result = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    assert (result.returncode, result.stdout) == (2, "")
    assert f"Cargo.toml has the version {kd.__version__}, not 9.9.9" in result.stderr
