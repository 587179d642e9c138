"""What the documents say is so: the README's tour runs, links lead somewhere, commands exist."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]


@pytest.fixture(params=DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_the_links_of_a_document_lead_to_files_that_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if "://" not in link and not (document.parent / link).exists()]


def test_the_tour_of_the_library_gives_what_the_readme_says() -> None:
    # The fence after an example would be read as one more line of its output.
    text = re.sub(r"^```.*$", "", README.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tour = doctest.DocTestParser().get_doctest(text, {}, README.name, str(README), 0)
    complaints: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(tour, out=complaints.append)
    assert result.attempted >= 10
    assert not complaints, "".join(complaints)


def test_every_make_command_that_a_document_names_is_a_target(document: Path) -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"(?:^|`)make (?:[A-Z]+=\S+ )?(\w+)", text, flags=re.MULTILINE)
    assert set(named) <= set(targets)
