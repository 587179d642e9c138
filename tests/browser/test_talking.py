"""Quick words: sent from the menu, shown beside the speaker's name, announced to screen readers, and muted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from browser.clocked import ClockedServer
from browser.player import DESK, LANDSCAPE, Device, Player, Sit


def two_at_a_table(sit: Sit, device: Device = DESK, address: str | None = None) -> tuple[Player, Player]:
    """Seat Ida and Oskar at a table of two. Their pages' clocks stand still, so that words stay."""
    ida, oskar = sit(device, address=address), sit(address=address)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    for player in (ida, oskar):
        player.page.clock.install()
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
        player.stop_clock()
    return ida, oskar


def say(player: Player, word: str) -> None:
    """Choose a word."""
    if player.device.touch:
        player.button("table.more").click()
        player.page.locator("#menu").get_by_role("button", name=player.say("table.say")).click()
    else:
        player.button("table.say").click()
    player.button(f"say.{word}").click()


def saying(player: Player) -> Locator:
    """Find the words beside a name."""
    return player.page.locator(".said:visible")


@pytest.mark.parametrize("device", [DESK, LANDSCAPE], ids=["desk", "phone in landscape"])
def test_a_word_appears_beside_the_speakers_name(sit: Sit, device: Device) -> None:
    ida, oskar = two_at_a_table(sit, device)
    say(ida, "good_luck")
    expect(ida.page.locator("#talk")).to_be_hidden()
    for player, place in ((oskar, ".opponent .said"), (ida, ".mine .said")):
        expect(player.page.locator(place)).to_have_text(player.say("say.good_luck"))
        expect(player.page.locator(place)).to_be_visible()
    told = oskar.page.locator("[aria-live=polite]")
    expect(told).to_contain_text(oskar.say("table.said", name="Ida", word=oskar.say("say.good_luck")))
    say(oskar, "thanks")
    expect(ida.page.locator(".opponent .said")).to_have_text(ida.say("say.thanks"))
    expect(ida.page.locator(".opponent .said")).to_be_visible()


def test_a_word_disappears_after_seconds(sit: Sit) -> None:
    ida, oskar = two_at_a_table(sit)
    say(ida, "hello")
    expect(saying(oskar)).to_have_text(oskar.say("say.hello"))
    oskar.page.clock.run_for(5900)
    expect(saying(oskar)).to_have_text(oskar.say("say.hello"))
    oskar.page.clock.run_for(200)
    expect(saying(oskar)).to_have_count(0)


def test_a_repeated_word_stays_as_long(sit: Sit) -> None:
    ida, oskar = two_at_a_table(sit)
    told = oskar.say("table.said", name="Ida", word=oskar.say("say.hello"))
    for times in (1, 2):
        say(ida, "hello")
        expect(oskar.page.locator("#announcer span").filter(has_text=told)).to_have_count(times)
        oskar.page.clock.run_for(5000)
    expect(saying(oskar)).to_have_text(oskar.say("say.hello"))


def test_muting_survives_a_reload(sit: Sit) -> None:
    ida, oskar = two_at_a_table(sit)
    mute = oskar.page.get_by_role("switch", name=oskar.say("settings.muted"), exact=True)
    oskar.button("table.say").click()
    mute.check()
    oskar.page.reload()
    expect(oskar.mine).to_be_visible()
    oskar.button("table.say").click()
    expect(mute).to_be_checked()
    oskar.press("Escape")
    say(ida, "oh_no")
    say(oskar, "hello")  # sent later, so Ida's word has arrived too
    expect(oskar.page.locator(".mine .who")).to_contain_text(oskar.say("say.hello"))
    expect(oskar.page.locator(".opponent .said")).to_have_count(0)


def test_too_many_words_are_refused_for_a_while(sit: Sit, clocked: ClockedServer) -> None:
    ida, _ = two_at_a_table(sit, address=clocked.address)
    ida.trouble.forgive(r"429")
    words = ida.page.locator("#talk")
    for _ in range(3):
        say(ida, "hello")
        expect(words).to_be_hidden()
    say(ida, "hello")
    expect(words).to_contain_text(ida.say("common.refused_too_often"))
    clocked.pass_by(10)
    ida.button("say.hello").click()
    expect(words).to_be_hidden()


def test_games_against_bots_have_no_words(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', 'bot')}")
    ida.task()
    expect(ida.button("table.say")).to_be_hidden()
    ida.button("table.more").click()
    expect(ida.button("table.all_moves").first).to_be_visible()
    expect(ida.button("table.say")).to_have_count(0)


def test_words_work_before_and_after_the_game(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    bot = {"kind": "bot", "bot": "greedy"}
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    for player in (ida, oskar):
        player.page.clock.install()
        player.go(f"/t/{table}")
        player.stop_clock()
    say(ida, "one_moment")
    expect(saying(oskar)).to_have_text(oskar.say("say.one_moment"))

    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, bot, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    for player in (ida, oskar):
        player.page.goto("about:blank")
    while turn := ida.snapshot(table)["turn"]:
        for player, seat in ((ida, 0), (oskar, 1)):
            if turn["seat"] == seat:
                player.program_turn(table, turn)
    for player in (ida, oskar):
        player.go(f"/t/{table}")
        expect(player.again).to_be_visible()
    say(oskar, "well_played")
    expect(saying(ida)).to_have_text(ida.say("say.well_played"))
    expect(ida.page.locator(".heard")).to_contain_text("Oskar")
