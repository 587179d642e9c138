"""Several devices: links that work once, passkeys, and erasing a person."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from browser.player import PHONE, Player, Sit, catalogue
from browser.served import Served

BOT = {"kind": "bot", "bot": "greedy"}
DRAWING = 60_000
"""Milliseconds for a picture, on a busy machine."""
SECRET = re.compile(r"/you#link=[\w-]{22}$")


def name_of(player: Player) -> str | None:
    name: str | None = player.ask("/api/me")["name"]
    return name


def named(player: Player, name: str) -> str:
    """Name a player, begin a game, and return its table."""
    player.page.context.request.put(player.address + "/api/me", data={"name": name})
    return player.create({"kind": "me", "name": name}, BOT)


def link_of(player: Player) -> str:
    """Make a link on the page, and return it."""
    player.button("you.make_link").click()
    field = player.page.get_by_label(player.say("you.link"))
    expect(field).to_have_value(SECRET)
    return field.input_value()


def test_a_link_signs_in_one_device(sit: Sit) -> None:
    ida, phone, late = sit(), sit(PHONE), sit()
    table = named(ida, "Ida")
    ida.go()
    ida.link("home.you").click()
    expect(ida.title).to_have_text(ida.say("you.headline"))
    expect(ida.page.get_by_text(ida.say("you.who", name="Ida"))).to_be_visible()
    link = link_of(ida)
    code = ida.page.get_by_role("img", name=ida.say("you.qr"))
    expect(code).to_be_visible()
    code.evaluate("image => image.decode()")

    phone.page.goto(link)
    expect(phone.title).to_have_text(phone.say("you.arriving_headline"))
    assert "#" not in phone.page.url
    phone.button("you.arrive").click()
    expect(phone.title).to_have_text(phone.say("you.joined", name="Ida"))
    expect(phone.title).to_be_focused()
    phone.link("wait.home").click()
    expect(phone.page.locator(f'a[href="/t/{table}"]')).to_be_visible()
    phone.go(f"/t/{table}")
    phone.task()

    late.trouble.forgive("404")
    late.page.goto(link)
    late.button("you.arrive").click()
    expect(late.page.get_by_role("alert")).to_have_text(late.say("common.refused_no_link"))
    expect(late.link("you.not_now")).to_be_visible()


def test_a_copied_link_shows_its_expiry(sit: Sit) -> None:
    ida = sit(permissions=["clipboard-read", "clipboard-write"])
    ida.go("/you")
    link = link_of(ida)
    ida.button("wait.copy").click()
    expect(ida.button("wait.copied")).to_be_visible()
    expect(ida.page.locator("#announcer")).to_contain_text(ida.say("wait.copied"))
    assert ida.page.evaluate("navigator.clipboard.readText()") == link
    expect(ida.page.locator("#lasts")).to_have_text(ida.say("you.lasts", n=10))


SPEAK_FRENCH = """async () => {
  const script = document.querySelector("script[type=module]").src;
  const { setLanguage } = await import(script.replace("pages/you.js", "i18n/locale.js"));
  await setLanguage("fr");
}"""


def test_the_button_of_a_copied_link_speaks_a_new_language(sit: Sit) -> None:
    ida = sit(permissions=["clipboard-read", "clipboard-write"])
    ida.page.clock.install()
    ida.go("/you")
    link_of(ida)
    ida.button("wait.copy").click()
    expect(ida.button("wait.copied")).to_be_visible()
    ida.page.evaluate(SPEAK_FRENCH)
    ida.page.clock.run_for(2_000)
    expect(ida.page.locator("#copy")).to_have_text(str(catalogue("fr")["wait.copy"]))


def test_signing_in_moves_games_with_a_warning(sit: Sit) -> None:
    ida, phone = sit(), sit()
    named(ida, "Ida")
    table = named(phone, "Phone")
    ida.go("/you")
    link = link_of(ida)
    phone.go("/you")
    phone.page.goto(link)
    expect(phone.page.locator("#moving")).to_have_text(phone.say("you.moving", n=1))
    phone.button("you.arrive").click()
    expect(phone.title).to_have_text(phone.say("you.joined", name="Ida"))
    assert ida.ask(f"/api/tables/{table}")["you"]["seats"] == [0]
    assert name_of(phone) == "Ida"


# Passkeys: Chromium's own virtual authenticator, on an address with a name.


class Key:
    """A virtual security key, plugged into a page."""

    def __init__(self, player: Player, **options: Any) -> None:  # noqa: ANN401  (Chromium's)
        self._session: CDPSession = player.page.context.new_cdp_session(player.page)
        self._session.send("WebAuthn.enable")
        wanted = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        added = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": wanted | options})
        self._id = added["authenticatorId"]

    @property
    def credentials(self) -> list[dict[str, Any]]:
        """The passkeys in it."""
        held: list[dict[str, Any]] = self._session.send(
            "WebAuthn.getCredentials", {"authenticatorId": self._id}
        )["credentials"]
        return held

    def add(self, credential: dict[str, Any]) -> None:
        """Add a passkey of another key, as a person's devices share them."""
        wanted = {"authenticatorId": self._id, "credential": credential}
        self._session.send("WebAuthn.addCredential", wanted)

    def refuse(self) -> None:
        """Make the verification of the person fail."""
        state = {"authenticatorId": self._id, "isUserVerified": False}
        self._session.send("WebAuthn.setUserVerified", state)


@pytest.fixture
def localhost(served: Served) -> str:
    """Return the server's address with a host name."""
    return served.address.replace("127.0.0.1", "localhost")


def test_a_passkey_signs_in_a_new_device(sit: Sit, localhost: str) -> None:
    ida, phone = sit(address=localhost), sit(PHONE, address=localhost)
    table = named(ida, "Ida")
    ida.go("/you")
    key = Key(ida)
    ida.button("you.make_passkey").click()
    expect(ida.page.get_by_text(ida.say("you.passkey_made"))).to_be_visible()
    expect(ida.page.get_by_text(ida.say("you.passkeys", n=1))).to_be_visible()
    ida.button("you.make_passkey").click()
    expect(ida.page.get_by_text(ida.say("common.refused_known_passkey"))).to_be_visible()

    phone.go("/you")
    Key(phone).add(key.credentials[0])
    phone.button("you.sign_in").click()
    expect(phone.title).to_have_text(phone.say("you.joined", name="Ida"))
    phone.go(f"/t/{table}")
    phone.task()


def test_a_refused_passkey_leaves_the_guest_a_guest(sit: Sit, localhost: str) -> None:
    guest = sit(address=localhost)
    guest.trouble.forgive("403")
    table = named(guest, "Guest of honour")
    guest.go("/you")
    key = Key(guest, isUserVerified=True)
    refusal = guest.page.get_by_text(guest.say("common.refused_bad_passkey"))
    for answer in ("you.not_now", "you.join"):
        guest.button("you.sign_in").click()
        expect(guest.page.locator("#join-why")).to_have_text(guest.say("you.moving", n=1))
        guest.button(answer).click()
    expect(refusal).to_be_visible()  # the key knows no passkey of this site
    guest.button("you.make_passkey").click()
    expect(guest.page.get_by_text(guest.say("you.passkey_made"))).to_be_visible()
    (credential,) = key.credentials
    stranger = sit(address=localhost)
    stranger.trouble.forgive("403")
    stranger.go("/you")
    guest.ask("/api/me/forget", {})  # now the server no longer knows the passkey
    Key(stranger).add(credential)
    stranger.button("you.sign_in").click()
    expect(stranger.page.get_by_text(stranger.say("common.refused_bad_passkey"))).to_be_visible()
    stranger.go()
    stranger.button("home.play").click()
    stranger.arrive()
    assert table != stranger.table


def test_without_a_host_name_the_page_offers_a_link(sit: Sit) -> None:
    ida = sit()
    ida.go("/you")
    expect(ida.page.get_by_text(ida.say("you.no_passkeys"))).to_be_visible()
    expect(ida.button("you.make_passkey")).to_be_hidden()


def test_signing_out_elsewhere_keeps_this_browser(sit: Sit) -> None:
    ida, phone = sit(), sit()
    table = ida.create("me", "open")
    (cookie,) = ida.page.context.cookies()
    phone.page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": ida.address}])
    assert phone.ask(f"/api/tables/{table}")["you"]["seats"] == [0]
    ida.go("/you")
    ida.button("you.sign_out").click()
    expect(ida.page.get_by_text(ida.say("you.signed_out"))).to_be_visible()
    assert ida.ask(f"/api/tables/{table}")["you"]["seats"] == [0]
    assert phone.ask(f"/api/tables/{table}")["you"]["seats"] == []


def test_forgetting_a_person_asks_first(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create({"kind": "me", "name": "Zenobia"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    oskar.go(f"/t/{table}")
    opponents = oskar.page.locator("aside.opponents")
    expect(opponents).to_contain_text("Zenobia")
    ida.go("/you")
    settings = {"theme": "dark", "shortcuts": False}
    personal = {
        "branches": [],
        "score": {},
        "puzzles": {},
        "nonces": [],
        f"unsent.{table}": {},
        "name": "Zenobia",
    }
    for name, value in (settings | personal).items():
        ida.page.evaluate(
            "([name, text]) => { localStorage[name] = text; }", [f"kingdomino.{name}", json.dumps(value)]
        )
    ida.button("you.forget_me").click()
    expect(ida.page.get_by_text(ida.say("you.sure"))).to_be_visible()
    ida.button("you.forget_no").click()
    expect(ida.button("you.forget_me")).to_be_focused()
    ida.button("you.forget_me").click()
    ida.button("you.forget_yes").click()
    expect(ida.title).to_have_text(ida.say("you.forgotten"))
    stored = ida.page.evaluate("Object.keys(localStorage)")
    assert {name.removeprefix("kingdomino.") for name in stored} == settings.keys()
    expect(opponents).to_contain_text(oskar.say("common.guest"))
    expect(opponents).not_to_contain_text("Zenobia")
    ida.go(f"/t/{table}")
    expect(ida.mine).to_be_visible()
    assert not ida.ask(f"/api/tables/{table}")["you"]["seats"]


# A picture to share.


def test_a_picture_is_downloaded_without_apps_to_share(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    with ida.page.expect_download(timeout=DRAWING) as download:
        ida.button("end.share").click()
    assert download.value.suggested_filename == f"kingdomino-{table}.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    expect(ida.button("end.share")).to_be_enabled()


def test_a_picture_is_shared_with_an_app(sit: Sit) -> None:
    ida = sit(language="fr")
    ida.page.add_init_script(
        """navigator.canShare = ({ files }) => files[0].type === "image/png";
        navigator.share = async (data) => { window.shared = data; };"""
    )
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    with ida.page.expect_response(re.compile("picture.*language=fr"), timeout=DRAWING):
        ida.button("end.share").click()
    ida.page.wait_for_function("() => window.shared")
    shared = ida.page.evaluate("({ size: shared.files[0].size, url: shared.url })")
    assert shared["url"] == f"{ida.address}/t/{table}"
    assert shared["size"] > 10_000
