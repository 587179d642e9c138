"""Signs that it is your turn while you look elsewhere: the title, the icon, the bell, and notifications."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from browser.player import Player, Sit

BROWSER = """
window.notified = []; window.asked = 0; window.tones = 0;
window.Notification = class {
  static permission = "default";
  static async requestPermission() {
    window.asked += 1;
    return this.permission = window.answer ?? "granted";
  }
  // The sentence of that moment: the page itself plays what can be played in one way only.
  constructor(title, { body }) { window.notified.push([title, body, document.querySelector("h1").innerText]); }
  close() {}
};
const Tone = window.OscillatorNode;
window.OscillatorNode = class extends Tone {
  constructor(...all) { super(...all); window.tones += 1; }
};
window.hide = (hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""A browser that records the page's requests for attention, and a page that can be hidden."""


def waiting_for_oskar(sit: Sit, script: str = "") -> tuple[Player, Player]:
    """Seat Ida and Oskar at a table where it is Oskar's turn."""
    ida, oskar = sit(), sit()
    ida.page.add_init_script(BROWSER + script)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    while (turn := ida.snapshot(table)["turn"])["seat"] == 0:
        ida.program_turn(table, turn)
    ida.go(f"/t/{table}")
    expect(ida.mine).to_be_visible()
    return ida, oskar


def play_until_ida(ida: Player, oskar: Player) -> None:
    """Let Oskar play until Ida has a choice. The page itself plays forced actions."""
    ida.trouble.forgive("409")  # her page may ask for the choices of a turn that is already over
    while True:
        table = ida.snapshot()
        turn, free = table["turn"], [one for one in table["next_line"] if one["seat"] is None]
        if turn["seat"] == 0 and not (turn["phase"] == "claim" and len(free) == 1):
            return
        (ida, oskar)[turn["seat"]].program_turn(ida.table, turn)


def switch(player: Player, name: str) -> Locator:
    """Open the settings, and find one of their switches."""
    settings = player.page.get_by_role("dialog")
    if not settings.is_visible():
        player.button("table.more").click()
        player.button("settings.headline").click()
    return settings.locator(f"[data-key={name}]")


def icon(player: Player) -> Locator:
    return player.page.locator("link[rel=icon][type='image/svg+xml']")


def test_notifications_and_the_bell_are_off_by_default(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit)
    ida.page.evaluate("hide(true)")
    play_until_ida(ida, oskar)
    expect(icon(ida)).to_have_attribute("href", re.compile(r"icon-turn\.svg$"))
    expect(ida.page).to_have_title(ida.say("table.title_yours"))
    assert ida.page.evaluate("[asked, notified.length, tones]") == [0, 0, 0]
    ida.page.evaluate("hide(false)")
    expect(icon(ida)).to_have_attribute("href", re.compile(r"icon\.svg$"))
    expect(ida.page).to_have_title(ida.say("table.title_yours"))


def test_a_hidden_page_notifies_and_rings(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit)
    switch(ida, "sound").check()
    switch(ida, "notify").check()
    assert ida.page.evaluate("asked") == 1
    ida.press("Escape")
    tones = ida.page.evaluate("tones")
    ida.page.evaluate("hide(true)")
    play_until_ida(ida, oskar)
    ida.page.wait_for_function("() => notified.length > 0")
    title, words, sentence = ida.page.evaluate("notified[0]")
    assert (title, words) == (ida.say("table.title"), sentence)
    assert ida.page.evaluate("tones") > tones


def test_a_visible_page_sends_no_notification(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit)
    switch(ida, "notify").check()
    ida.press("Escape")
    play_until_ida(ida, oskar)
    expect(ida.page).to_have_title(ida.say("table.title_yours"))
    expect(icon(ida)).to_have_attribute("href", re.compile(r"icon\.svg$"))
    assert ida.page.evaluate("notified") == []


def test_a_refusal_of_notifications_is_final(sit: Sit) -> None:
    ida, _ = waiting_for_oskar(sit, 'window.answer = "denied";')
    notify = switch(ida, "notify")
    notify.click()
    expect(ida.page.get_by_text(ida.say("settings.notify_denied"))).to_be_visible()
    expect(notify).not_to_be_checked()


def test_the_menu_explains_that_notifications_need_https(sit: Sit) -> None:
    ida, _ = waiting_for_oskar(sit, 'Object.defineProperty(window, "isSecureContext", { value: false });')
    expect(switch(ida, "notify")).to_be_disabled()
    expect(ida.page.get_by_text(ida.say("settings.notify_insecure"))).to_be_visible()
    assert ida.page.evaluate("asked") == 0


def test_every_placement_is_heard_once(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit)
    ida.trouble.forgive("409")  # her page may ask for the choices of a turn that is over already
    switch(ida, "sound").check()
    ida.press("Escape")
    while (turn := ida.snapshot()["turn"])["phase"] == "claim":
        (ida, oskar)[turn["seat"]].program_turn(ida.table, turn)
    tones = ida.page.evaluate("tones")
    for placements in (1, 2, 3, 4):
        turn = ida.snapshot()["turn"]
        if turn["seat"] == 0:
            ida.turn()
        else:
            oskar.program_turn(ida.table, turn)
        ida.page.wait_for_function(f"() => tones === {tones + 2 * placements}")


STILL = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const made = animate.apply(this, how);
  if (window.isStill) made.pause();
  return made;
};
"""
"""A browser in which nothing moves, as in a hidden page."""
PAUSED = "document.getAnimations().filter(({ playState }) => playState === 'paused')"


def test_a_hidden_page_announces_a_turn_during_an_animation(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit, STILL)
    ida.page.emulate_media(reduced_motion="no-preference")
    ida.page.evaluate("isStill = true")
    play_until_ida(ida, oskar)
    ida.page.wait_for_function(f"() => {PAUSED}.length > 0")
    ida.page.evaluate("hide(true)")
    expect(ida.page).to_have_title(ida.say("table.title_yours"))


WORKER = """
window.trays = [];
window.Notification = class {
  static permission = "granted";
  static async requestPermission() { return "granted"; }
  constructor() { throw new TypeError("only a service worker may"); }
};
navigator.serviceWorker.getRegistration = async () => ({
  async showNotification(title, { tag }) {
    trays = trays.filter((one) => one.tag !== tag);
    trays.push({ tag, close() { trays = trays.filter((one) => one !== this); } });
  },
  async getNotifications({ tag }) { return trays.filter((one) => one.tag === tag); },
});
"""
"""A browser that lets only a service worker notify."""


def test_a_visible_page_closes_the_notification(sit: Sit) -> None:
    ida, oskar = waiting_for_oskar(sit, WORKER)
    switch(ida, "notify").check()
    ida.press("Escape")
    ida.page.evaluate("hide(true)")
    play_until_ida(ida, oskar)
    ida.page.wait_for_function("() => trays.length === 1")
    ida.page.evaluate("hide(false)")
    ida.page.wait_for_function("() => trays.length === 0")


def test_the_first_touch_enables_sound(sit: Sit) -> None:
    ida, _ = waiting_for_oskar(
        sit,
        "const Made = AudioContext; window.AudioContext = class extends Made "
        "{ constructor() { super(); window.heard = this; } resume() { window.woken = true; return super.resume(); } };",
    )
    switch(ida, "sound").check()
    ida.page.reload()
    expect(ida.mine).to_be_visible()
    assert ida.page.evaluate("window.heard") is None
    ida.button("table.more").click()
    ida.page.wait_for_function("() => window.heard !== undefined")
