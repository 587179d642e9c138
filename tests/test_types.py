"""The code in the documents passes mypy and pyright."""

import json
import re
import subprocess
import sys
from doctest import DocTestParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
NOTEBOOK = ROOT / "docs/tour.ipynb"
CHECKERS = {
    # A page has several programs one after the other, so a name may change its type, as pyright allows.
    "mypy": (
        *("-m", "mypy", "--config-file=", "--cache-dir", str(ROOT / ".mypy_cache/pages")),
        *("--python-executable", sys.executable, "--allow-redefinition"),
        *("--disable-error-code", "import-not-found"),  # pyspiel is no Python source
    ),
    "pyright": ("-m", "pyright", "--level", "error", "--pythonpath", sys.executable),
}


def code_of(page: Path) -> str:
    """Return the Python code of a page, as a reader would type it, one block after the other."""
    blocks = re.findall(
        r"^ *```python\n(.*?)^ *```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return "\n".join(
        "".join(example.source for example in DocTestParser().get_examples(block))
        if ">>> " in block
        else block
        for block in blocks
    )


def code_of_the_tour() -> str:
    """Return the code of the notebook."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a program for each page that has code."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {page.relative_to(ROOT).with_suffix(""): code_of(page) for page in PAGES}
    texts[NOTEBOOK.relative_to(ROOT).with_suffix("")] = code_of_the_tour()
    for page, text in texts.items():
        if text:
            (folder / f"{'_'.join(page.parts)}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_the_code_of_the_documents_passes_a_type_checker(checker: str, programs: Path) -> None:
    files = sorted(file.name for file in programs.iterdir())
    assert {"README.py", "docs_guides_engines.py", "docs_tour.py"} <= set(files)
    command = [sys.executable, *CHECKERS[checker], *files]
    found = subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
