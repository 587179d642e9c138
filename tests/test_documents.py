"""The documents are correct: their examples run, and their links, commands and names exist."""

import doctest
import re
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

import kingdomino as kd
from kingdomino.cli.app import app

ROOT = Path(__file__).parent.parent
README, CONTRIBUTING = ROOT / "README.md", ROOT / "CONTRIBUTING.md"
DOCUMENTS = [README, CONTRIBUTING, *sorted(ROOT.glob("docs/**/*.md"))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(params=DOCUMENTS, ids=name_of)
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_the_links_of_a_document_lead_to_files_that_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if "://" not in link and not (document.parent / link).exists()]


def test_the_anchors_that_a_document_links_to_are_headings(document: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", document.read_text(encoding="utf-8")):
        target = document.parent / file if file else document
        headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
        assert anchor in slugs, f"{file}#{anchor}"


@pytest.mark.parametrize(
    "page", [page for page in DOCUMENTS if ">>> " in page.read_text(encoding="utf-8")], ids=name_of
)
def test_the_examples_of_a_document_give_their_output(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "python/kingdomino/examples")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)  # some examples write files
    # Doctest would read the fence after an example as one more line of its output.
    text = re.sub(r"^ *```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failures: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(examples, out=failures.append)
    assert result.attempted >= (10 if page == README else 1)
    assert not failures, "".join(failures)


def test_every_make_command_that_a_document_names_is_a_target(document: Path) -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"(?:^|`)make (?:[A-Z]+=\S+ )?(\w+)", text, flags=re.MULTILINE)
    assert set(named) <= set(targets)


def test_every_command_of_kingdomino_that_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"(?:^|[`$/ ])kingdomino ([a-z][a-z-]+)", text, flags=re.MULTILINE)
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert set(named) - {"as"} <= set(group.commands)


def test_the_folders_that_contributing_names_exist() -> None:
    tree = CONTRIBUTING.read_text(encoding="utf-8").split("```")[1]
    named = re.findall(r"^(?:  )?([a-z/_]+)", tree, flags=re.MULTILINE)
    folders = {str(path.relative_to(ROOT)) for path in [*ROOT.glob("*"), *ROOT.glob("crates/*")]}
    inside = {f"{path.name}/" for path in Path(kd.__file__).parent.iterdir()}
    assert set(named) <= folders | inside | {"python/kingdomino"}


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/evidence/[a-z]*.md")), ids=name_of)
def test_a_page_of_evidence_begins_with_three_figures(page: Path) -> None:
    title, nothing, *lines = page.read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    assert not nothing
    assert [bool(re.match(r"- .*\d", line)) for line in lines[:4]] == [True, True, True, False]
