"""No player gets stuck: players who are away, the clock, the end of a game, and the next one."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import expect

from browser.clocked import ClockedServer
from browser.player import COME_TO_REST, DESK, PHONE, TABLET, Device, Player, Sit
from browser.test_access import faultless


def seated(
    sit: Sit,
    *more: str,
    address: str | None = None,
    device: Device = DESK,
    language: str = "en",
    **wishes: object,
) -> tuple[Player, Player, str]:
    """Seat Ida and Ann at a table without a clock."""
    ida, ann = sit(device, address=address, language=language), sit(address=address)
    wishes = {"public": True, "seconds": None} | wishes
    table = ida.create({"kind": "me", "name": "Ida"}, "open", *more, **wishes)
    ann.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Ann"})
    ida.page.add_init_script(path=AXE_FILE_PATH)
    return ida, ann, table


def after_game(sit: Sit, *bots: str, device: Device = DESK) -> tuple[Player, Player, str]:
    """Show Ida and Ann the end of a game with bots."""
    ida, ann, table = seated(sit, *bots, device=device)
    while turn := ida.snapshot(table)["turn"]:
        if turn["seat"] < 2:
            (ida, ann)[turn["seat"]].program_turn(table, turn)
    for player in (ida, ann):
        player.go(f"/t/{table}")
        expect(player.again).to_be_visible()
    return ida, ann, table


def test_a_bot_plays_for_an_absent_friend(sit: Sit, clocked: ClockedServer) -> None:
    ida, ann, table = seated(sit, address=clocked.address, device=PHONE)
    while (turn := ida.snapshot(table)["turn"])["seat"] == 0 or turn["phase"] == "claim":
        (ida, ann)[turn["seat"]].program_turn(table, turn)
    domino = turn["domino"]
    ida.page.clock.install()
    ann.go(f"/t/{table}")
    with ida.page.expect_websocket() as socket:
        ida.go(f"/t/{table}")
    with socket.value.expect_event("framereceived", lambda message: '"gone"' in message):
        ann.page.goto("about:blank")
        clocked.until_followed_by(table, 1)
        clocked.pass_by(1)  # the server reports presence at most once a second
    opponents = ida.page.locator(".opponents")
    expect(opponents).not_to_contain_text(ida.say("table.away"))
    clocked.pass_by(30)
    expect(opponents).to_contain_text(ida.say("table.away"))
    expect(ida.title).to_have_text(ida.say("table.place_other", name="Ann", domino=domino))
    clocked.pass_by(90)

    def absent(time: str) -> None:
        """Assert that the title says how long Ann has been away; on a phone only the caption does."""
        long, short = (
            ida.say("table.absent", name="Ann", time=time),
            ida.say("table.absent_short", name="Ann"),
        )
        expect(ida.title).to_have_text(short)
        expect(ida.page.locator(".mine .caption")).to_contain_text(long)
        for device, title in ((DESK, long), (PHONE, short)):
            ida.page.set_viewport_size(device.size)
            ida.page.evaluate("document.dispatchEvent(new Event('language'))")  # the page is drawn again
            expect(ida.title).to_have_text(title)

    absent("2 minutes")
    faultless(ida, "a player is away")
    # not fast_forward: the page would take it for a sleep, and ask the server
    ida.page.clock.run_for(60_000)
    absent("3 minutes")
    ida.button("table.wait").click()
    expect(ida.title).to_have_text(ida.say("table.place_other", name="Ann", domino=domino))
    ida.page.clock.run_for(125_000)
    absent("5 minutes")
    ida.page.get_by_role("button", name=ida.say("table.let_bot_short", name="Ann"), exact=True).click()
    expect(opponents).to_contain_text(ida.say("table.away_absent"))
    while ida.snapshot(table)["turn"]["seat"] == 1:
        pass  # a bot plays
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    moves = [event for event in events if event.get("by") == "stand-in"]

    ann.go(f"/t/{table}")
    welcome = ann.say("table.welcome_turns", n=len(moves) // 2)
    if len(moves) == 2:
        did = f"table.welcome_{moves[0]['kind']}_claimed"
        welcome = ann.say(did, domino=domino, claim=moves[1]["domino"])
    expect(ann.page.get_by_text(welcome).first).to_be_visible()
    expect(opponents).not_to_contain_text(ida.say("table.away_absent"))
    assert ida.snapshot(table)["seats"][1]["away"] is None


def test_a_returning_player_reads_the_bots_moves(sit: Sit, clocked: ClockedServer) -> None:
    ida, ann, table = seated(
        sit, "bot", address=clocked.address, seconds=60
    )  # each has one king, and so one turn
    while (turn := ida.snapshot(table)["turn"])["seat"] != 1 or turn["phase"] == "claim":
        if turn["seat"] < 2:
            (ida, ann)[turn["seat"]].program_turn(table, turn)
    for player in (ida, ann):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    clocked.pass_by(61)  # Ann's time is up
    while ida.snapshot(table)["turn"]["seat"] == 1:
        pass  # a bot plays
    ann.button("table.come_back").click()
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    placed, claimed = (event["domino"] for event in events if event.get("by") == "stand-in")
    welcome = ann.say("table.welcome_placed_claimed", domino=placed, claim=claimed)
    expect(ann.page.locator(".next")).to_contain_text(welcome)
    for player, bot in ((ann, ann.say("table.your_bot")), (ida, ida.say("table.bot_of", name="Ann"))):
        did = re.compile(rf"^{bot} placed {placed}, \+\d+, and claimed {claimed}$")
        expect(player.page.locator(".recent li").filter(has_text=did)).to_be_visible()


def test_the_clock_ignores_the_browsers_wrong_time(sit: Sit, clocked: ClockedServer) -> None:
    ida = sit(address=clocked.address)
    ida.page.clock.install(time="2001-01-01")
    ida.stop_clock()
    table = ida.create("me", "me", seconds=120)
    ida.go(f"/t/{table}")
    clock = ida.page.locator(".clock")
    expect(clock).to_have_text("2:00 left")
    # not fast_forward: the page would take it for a sleep, and ask the server, whose clock still says 2:00
    ida.page.clock.run_for(60_000)
    expect(clock).to_have_text("1:00 left")
    ida.turn()
    expect(clock).to_have_text("2:00 left")


def test_a_player_alone_ends_the_game_at_once(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', {'kind': 'bot', 'bot': 'greedy'})}")
    ida.task()
    ida.button("table.more").click()
    ida.button("table.end").click()
    expect(ida.page.get_by_text(ida.say("table.end_why"))).to_be_visible()
    ida.button("table.end_now").click()
    expect(ida.title).to_have_text(ida.say("wait.closed"))
    expect(ida.page.get_by_text(ida.say("wait.closed_ended"))).to_be_visible()
    ida.link("end.look_back").click()
    ida.page.wait_for_url(re.compile("/replay"))


def test_ending_a_game_asks_all_present_players(sit: Sit) -> None:
    ida, ann, table = seated(sit)
    for player in (ida, ann):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    question = ida.say("table.end_wish", who="Ann", n=1)
    told = ida.page.locator("#announcer span").filter(has_text=question)

    def ask(times: int) -> None:
        ann.button("table.more").click()
        ann.button("table.end").click()
        expect(ann.page.get_by_text(ann.say("table.end_why_others"))).to_be_visible()
        ann.button("table.end_now").click()
        expect(ann.page.locator(".asking")).to_contain_text(ann.say("table.end_asked"))
        expect(ida.page.locator(".asking")).to_contain_text(question)
        expect(told).to_have_count(times)

    ask(1)
    faultless(ida, "the question whether to end the game")
    ida.button("table.end_no").click()
    expect(ida.page.locator(".asking")).to_be_hidden()
    answer = ann.say("table.end_declined", who="Ida")
    expect(ann.page.locator(".asking p")).to_have_text(answer)
    expect(ann.page.locator("#announcer span").filter(has_text=answer)).to_have_count(1)
    ask(2)
    ann.button("table.play_on").click()
    expect(ida.page.locator(".asking p")).to_have_text(ida.say("table.end_declined", who="Ann"))
    ask(3)
    ida.button("table.end_yes").click()
    for player in (ida, ann):
        expect(player.title).to_have_text(player.say("wait.closed"))


@pytest.mark.parametrize("device", [Device(1280, 800), TABLET], ids=["small desk", "tablet"])
def test_the_question_to_end_the_game_moves_nothing(sit: Sit, device: Device) -> None:
    ida, ann, table = seated(sit, device=device, language="fr")
    for player in (ida, ann):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    parts = ida.page.locator(".play > *")
    places = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
    ida.mine.evaluate(COME_TO_REST)
    before = parts.evaluate_all(places)
    ann.ask(f"/api/tables/{table}/end", {"wish": True})
    question = ida.page.locator(".asking")
    expect(question).to_contain_text(ida.say("table.end_wish", who="Ann", n=1))
    assert parts.evaluate_all(places) == before
    expect(question).to_be_in_viewport(ratio=1)


def test_a_dynasty_ends_between_two_games(sit: Sit) -> None:
    ida, ann, table = seated(sit, device=PHONE, dynasty="total")
    while turn := ida.snapshot(table)["turn"]:
        (ida, ann)[turn["seat"]].program_turn(table, turn)
    for player in (ida, ann):
        player.go(f"/t/{table}")
        expect(player.next_game).to_be_visible()
    ann.button("table.more").click()
    ann.button("table.end").click()
    ann.button("table.end_now").click()
    expect(ida.page.locator(".asking")).to_contain_text(ida.say("table.end_wish", who="Ann", n=1))
    faultless(ida, "the question whether to end the Dynasty")
    ida.button("table.end_yes").click()
    for player in (ida, ann):
        expect(player.title).to_have_text(player.say("wait.closed"))


def test_a_rematch_takes_all_who_accept(sit: Sit) -> None:
    ida, ann, table = after_game(sit, "bot")
    ida.again.click()
    expect(ida.page.locator(".rematch")).to_contain_text(ida.say("end.wish_you"))
    expect(ida.page.get_by_text(ida.say("end.waiting_for", who="Ann"))).to_be_visible()
    box = ann.page.get_by_role("region", name=ann.say("end.rematch"))
    expect(box).to_contain_text(ann.say("end.wish", who="Ida"))
    expect(ann.page.locator("#announcer")).to_contain_text(ann.say("end.wish", who="Ida"))
    expect(box.get_by_role("listitem")).to_have_count(3)
    box.get_by_role("button", name=ann.say("end.again"), exact=True).click()
    for player in (ida, ann):
        player.page.wait_for_url(lambda url: table not in url)
        expect(player.mine).to_be_visible()
    assert ida.table == ann.table


def test_a_refused_rematch_can_be_retried(sit: Sit) -> None:
    ida, _, table = after_game(sit)
    ida.trouble.forgive("status of 503")
    ida.page.evaluate("document.dispatchEvent(new Event('language'))")  # the page is drawn again
    busy = {"code": "busy", "reason": "the server has too much to do"}
    ida.catch("**/rematch", lambda route: route.fulfill(status=503, json=busy), times=1)
    ida.again.click()
    expect(ida.page.locator(".go-on .refusal")).to_have_text(ida.say("common.refused_busy"))
    ida.again.click()
    expect(ida.page.locator(".rematch")).to_contain_text(ida.say("end.wish_you"))
    assert ida.table == table


def test_a_host_who_declined_can_still_start_a_rematch(sit: Sit) -> None:
    ida, ann, table = after_game(sit, "bot")
    ann.again.click()
    ida.button("end.not_today").click()
    for place in (".rematch", "#announcer"):
        expect(ann.page.locator(place)).to_contain_text(ann.say("end.missing", who="Ida", n=1))
    ida.button("end.again").click()
    ida.page.wait_for_url(lambda url: table not in url)

    ida.go(f"/t/{table}")
    expect(ida.link("end.to_next_table")).to_be_visible()


def test_bots_replace_missing_players(sit: Sit) -> None:
    ida, ann, table = after_game(sit, "bot")
    ida.again.click()
    ann.button("end.not_today").click()
    ida.page.get_by_role("button", name=ida.say("end.leave_out", who="Ann")).click()
    ida.page.wait_for_url(lambda url: table not in url)
    expect(ida.mine).to_be_visible()
    assert [seat["kind"] for seat in ida.snapshot()["seats"]] == ["person", "bot"]
    expect(ann.link("end.to_next_table")).to_be_visible()
    assert ann.table == table


def test_axe_finds_no_violation_in_the_rematch_question(sit: Sit) -> None:
    ida, ann, _ = after_game(sit, "bot", "bot", device=PHONE)
    ann.again.click()
    expect(ida.page.locator(".rematch")).to_contain_text(ida.say("end.wish", who="Ann"))
    faultless(ida, "the question whether to play again")
    ida.button("end.not_today").click()
    expect(ida.page.get_by_text(ida.say("end.answer_out"), exact=True)).to_be_visible()
    faultless(ida, "not today")
