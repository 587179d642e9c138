"""The documentation site and the reference of the API, at /docs/."""

import re
from pathlib import Path

import pytest
from support.clients import Server

from kingdomino.server.http.routes import documents


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small site, as tools/site.py builds one, and a file beside it."""
    (tmp_path / "site/guides").mkdir(parents=True)
    (tmp_path / "site/assets").mkdir()
    (tmp_path / "site/index.html").write_text(
        "<script>let a = 1</script><h1>Documents</h1>", encoding="utf-8"
    )
    (tmp_path / "site/guides/index.html").write_text("<h1>Guides</h1>", encoding="utf-8")
    (tmp_path / "site/search.json").write_text("{}", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    monkeypatch.setattr(documents, "SITE", tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.usefixtures("site")
async def test_the_site_is_at_docs(server: Server) -> None:
    ida = server.client()
    assert "Documents" in (await ida.send("GET", "/docs/")).text
    assert "Guides" in (await ida.send("GET", "/docs/guides/")).text
    assert (await ida.send("GET", "/docs")).headers["location"].endswith("/docs/")
    assert (await ida.send("GET", "/docs/guides")).headers["location"] == "guides/"
    assert (await ida.send("GET", "/docs/search.json")).headers["content-type"] == "application/json"


@pytest.mark.usefixtures("site")
async def test_of_scripts_in_a_page_of_the_site_only_its_own_may_run(server: Server) -> None:
    answer = await server.client().send("GET", "/docs/")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'sha256-LAfYd7pbFUgwfQu8b4q135PeTG2z+/coPEUYCd74eCQ=';" in policy
    assert "default-src 'self'" in policy


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    "path",
    ["nothing", "guides/nothing", "%2e%2e/secret.txt", "..%2fsecret.txt", "assets/", "a%00b", "x" * 5000],
)
async def test_where_there_is_nothing_in_the_site_a_person_gets_a_page(server: Server, path: str) -> None:
    answer = await server.client().send("GET", f"/docs/{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")


async def test_without_a_site_docs_leads_to_the_description_of_the_interface(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(documents, "SITE", tmp_path / "site")
    ida = server.client()
    assert (await ida.send("GET", "/docs/")).headers["location"] == "http/"
    assert (await ida.send("GET", "/docs/http")).headers["location"] == "http/"
    assert "swagger-ui" in (await ida.send("GET", "/docs/http/")).text


async def test_without_a_site_the_guide_to_writing_a_bot_is_there(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(documents, "SITE", tmp_path / "site")
    ida = server.client()
    (address,) = re.findall(r'href="([^"]+)" data-t="home.nav_bots"', (await ida.send("GET", "/")).text)
    page = await ida.send("GET", address)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for part in ("<h1>Your own bot, in any language</h1>", "<pre><code", "<table>"):
        assert part in page.text
    assert not re.search(r"\.md[)\"#]", page.text)
