"""Words: three catalogues with the same keys, and no other text on the pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from browser.player import LANGUAGES, TRANSLATIONS, Player, Sit, catalogue
from kingdomino.server.http.release import STATIC

CATALOGUES = {language: catalogue(language) for language in LANGUAGES}
PAGES = [*STATIC.glob("js/*/*.js"), *STATIC.glob("*.html"), *STATIC.parent.glob("http/*.py")]
SOURCES = {str(file): file.read_text() for file in PAGES}
ENGLISH = re.compile(r"\b(the|your|you|with|and|of|is|are|not|yet|this|by|it|to|for)\b", re.IGNORECASE)
PREFIXES = {key.partition(".")[0] for key in CATALOGUES["en"]}
KEY = re.compile(rf"\b({'|'.join(sorted(PREFIXES))})\.[a-z_]+\b")

SEEN = """() => {
  const words = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: parent } = walk.currentNode;
    if (data.trim() && !parent.closest("[lang]:not(html), code, svg")) words.push(data.trim());
  }
  for (const name of ["aria-label", "aria-valuetext", "placeholder", "title", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) words.push(element.getAttribute(name));
  }
  return words.filter(Boolean);
}"""


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def forms(entry: str | dict[str, str]) -> dict[str, str]:
    return {"other": entry} if isinstance(entry, str) else entry


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_has_the_same_keys_and_holes(language: str) -> None:
    english, words = CATALOGUES["en"], CATALOGUES[language]
    assert words.keys() == english.keys()
    for key, entry in words.items():
        assert holes(forms(entry)["other"]) == holes(forms(english[key])["other"]), key
        for form in forms(entry).values():
            assert form.strip(), key
            assert holes(form) <= holes(forms(entry)["other"]) | {"n"}, key
        if key != "common.ordinal":
            assert isinstance(entry, str) or {"one", "other"} <= entry.keys(), key


def test_every_key_has_words_and_every_word_is_used() -> None:
    literal, patterns = set(), set()
    for source in SOURCES.values():
        literal |= set(re.findall(r"(?<!el\()[\"'`]([a-z]+\.[a-z0-9_]+)[\"'`]", source))
        for template in re.findall(r"`([a-z]+\.(?:[a-z0-9_]|\$\{[^}`]*\})*)`", source):
            patterns.add(re.sub(r"\\\$\\\{.*?\\\}", r"\\w+", re.escape(template)))
    keys = CATALOGUES["en"].keys()
    missing = {key for key in literal if key.partition(".")[0] in PREFIXES} - keys
    shaped = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    unused = {key for key in keys if key not in literal and not shaped.fullmatch(key)}
    assert not missing, missing
    assert not unused, unused


def test_first_js_knows_every_language() -> None:
    first = (STATIC / "js/first.js").read_text()
    locale = (STATIC / "js/i18n/locale.js").read_text()
    asked = re.search(r"\[([^\]]+)\]\.includes\(code\)", first)
    chosen = re.search(r"LANGUAGES = \{(.+)\}", locale)
    assert asked
    assert chosen
    assert re.findall(r"\w+", asked[1]) == re.findall(r"(\w+):", chosen[1]) == list(LANGUAGES)


def leftovers(player: Player, language: str) -> None:
    """Assert that no text on the page is a key, a hole, or English."""
    for said in player.page.evaluate(SEEN):
        assert not KEY.search(said) or "amber" in said, f"a key: {said}"
        assert not re.search(r"\{\w+\}", said), f"a hole: {said}"
        if language != "en":
            assert not ENGLISH.search(said), f"English: {said}"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_all_pages_speak_the_language_of_the_browser(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    bot = {"kind": "bot", "bot": "greedy"}

    def look() -> None:
        assert ida.page.locator("html").get_attribute("lang") == language
        leftovers(ida, language)

    ida.go()
    ida.page.locator("#fold summary").click()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
    look()
    ida.button("settings.headline").click()
    expect(ida.page.get_by_role("dialog")).to_be_visible()
    look()
    ida.go_to_offline_page()
    look()
    ida.go("/new")
    look()
    ida.go("/rules#3,harmony,middle_kingdom,dynasty,first")
    look()
    ida.go("/learn")
    look()
    ida.go("/rules#2,harmony,mighty_duel,snake")
    look()
    ida.go("/games")
    look()
    ida.go("/you")
    ida.button("you.make_link").click()
    expect(ida.page.get_by_label(ida.say("you.link"))).to_be_visible()
    ida.button("you.forget_me").click()
    look()
    ida.go(f"/t/{ida.create({'kind': 'me', 'name': 'Ida'}, 'open', 'invited', bot, public=True, seconds=60)}")
    expect(ida.title).to_have_text(ida.say("wait.host"))
    look()
    table = ida.create({"kind": "me", "name": "Ida"}, bot, harmony=True, middle_kingdom=True, dynasty="total")
    ida.go(f"/t/{table}")
    assert ida.task() == "claim"
    ida.button("table.more").click()
    look()
    ida.press("Escape")
    for _ in range(3):  # claiming, placing, claiming again
        ida.turn()
        ida.task()
        look()
    ida.program(table)
    ida.go(f"/t/{table}")
    expect(ida.next_game).to_be_visible()
    look()
    ida.button("end.deal_how").click()
    expect(ida.page.get_by_text(ida.say("end.deal_no_nonce"))).to_be_visible()
    look()
    ida.go(f"/t/{table}/replay")
    for _ in range(8):
        look()
        ida.press("ArrowRight")


def test_home_and_table_change_the_language(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.page.get_by_role("combobox", name=ida.say("settings.language")).select_option("fr")
    expect(ida.page.get_by_role("button", name=str(CATALOGUES["fr"]["home.play"]))).to_be_visible()
    leftovers(ida, "fr")
    ida.page.reload()
    ida.page.get_by_role("button", name=str(CATALOGUES["fr"]["home.play"])).click()
    ida.arrive()
    ida.page.get_by_role("button", name=str(CATALOGUES["fr"]["table.more"]), exact=True).click()
    ida.page.get_by_role("button", name=str(CATALOGUES["fr"]["settings.headline"]), exact=True).click()
    sheet = ida.page.get_by_role("dialog", name=str(CATALOGUES["fr"]["settings.headline"]))
    sheet.get_by_role("combobox").select_option("es")
    expect(ida.page.locator("html")).to_have_attribute("lang", "es")
    leftovers(ida, "es")


def test_french_shortens_de_before_a_vowel(sit: Sit) -> None:
    ida, ann = sit(language="fr"), sit(language="fr")
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    ann.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Zoé"})
    ida.go(f"/t/{table}")
    expect(ida.page.get_by_role("button", name="Royaume de Zoé")).to_be_visible()
    ann.go(f"/t/{table}")
    expect(ann.page.get_by_role("button", name=re.compile("Royaume d.Ida"))).to_be_visible()


def test_a_name_that_is_refused_is_explained(sit: Sit) -> None:
    ida = sit(language="es")
    ida.trouble.forgive("422")
    ida.go()
    ida.page.get_by_label(ida.say("home.name")).fill("\u3164\u2800")
    ida.press("Enter")
    expect(ida.page.locator("#refused")).to_have_text(ida.say("common.refused_bad_name"))


def test_a_language_without_words_is_not_chosen(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("404|Failed to fetch|words/fr.json")
    ida.go()
    ida.catch("**/words/fr.json", lambda route: route.fulfill(status=404, body=""))
    ida.page.locator("#language").select_option("fr")
    expect(ida.page.locator(".stopped")).to_contain_text(ida.say("table.newer"))
    ida.page.unroute("**/words/fr.json")
    ida.button("table.reload").click()
    expect(ida.page.locator("#language")).to_have_value("en")
    expect(ida.button("home.play")).to_be_visible()


def test_the_last_chosen_language_stays(sit: Sit) -> None:
    ida = sit()
    ida.go()
    late: list[Route] = []
    ida.catch("**/words/fr.json", lambda route: late.append(route))
    with ida.page.expect_request("**/words/fr.json"):
        ida.page.locator("#language").select_option("fr")
    ida.page.locator("#language").select_option("es")
    expect(ida.page.locator("html")).to_have_attribute("lang", "es")
    with ida.page.expect_response("**/words/fr.json"):
        late[0].continue_()
    ida.settle()
    assert ida.page.locator("html").get_attribute("lang") == "es"
    assert ida.page.evaluate("localStorage['kingdomino.language']") == '"es"'


def test_no_estimate_sounds_certain(sit: Sit) -> None:
    ida = sit()
    ida.go()
    said = ida.page.evaluate("""async () => {
      const { chanceText } = await import("/static/js/i18n/numbers.js");
      await (await import("/static/js/i18n/locale.js")).wordsReady;
      const chances = [0, 0.004, 0.005, 0.994, 0.995, 1];
      return chances.flatMap((chance) => [chanceText(chance, true), chanceText(chance, false)]);
    }""")
    under, over = ida.say("common.under", percent="1%"), ida.say("common.over", percent="99%")
    assert said == ["0%", under, under, under, "1%", "1%", "99%", "99%", over, over, "100%", over]


def test_a_language_of_another_device_without_words_is_ignored(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("404|words/fr.json")
    ida.page.context.request.put(f"{ida.address}/api/me/settings", data={"language": "fr"})
    ida.catch("**/words/fr.json", lambda route: route.fulfill(status=404, body=""))
    ida.go()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
    assert ida.page.evaluate("localStorage['kingdomino.language']") is None
    ida.button("home.play").click()
    ida.arrive()
