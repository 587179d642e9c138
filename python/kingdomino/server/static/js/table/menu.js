/**
 * The menu of a table: the rules in play, all moves, quick words, links to copy, the settings, and the ways to leave.
 */
import { icon } from "../draw/art.js";
import { copyText } from "../draw/copy.js";
import { el, find, replaceContent } from "../draw/dom.js";
import { closeOnOutsidePress } from "../draw/popover.js";
import { t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";
import { bonusLines, rulesAddress, rulesSummary, variantNames } from "../i18n/rules-text.js";
import { linkTo, pathTo } from "../net/address.js";
import { attempt, later } from "../net/api.js";
import { clientOf } from "./client.js";

/**
 * @import { ServerTable } from "../net/table.js"
 * @import { Table, You } from "../net/types.js"
 * @import { Talk } from "./talk.js"
 */

export class Menu {
  #status = el("p.label", { role: "status" });

  /**
   * @param {HTMLElement} menu
   * @param {{table: Table | null, you: Pick<You, "seats">, talk: Talk, showAllMoves: (opener: HTMLElement) => void}}
   *   page
   */
  constructor(menu, page) {
    this.menu = menu;
    this.page = page;
    closeOnOutsidePress(menu);
    menu.addEventListener("beforetoggle", (event) => {
      if (event.newState === "open") this.draw();
    });
    document.addEventListener("language", () => this.draw());
  }

  close() {
    this.menu.hidePopover();
  }

  draw() {
    const { table, you, talk } = this.page;
    if (!table) return;
    const isBetween = table.state === "between";
    const playing = (table.state === "playing" || isBetween) && you.seats.some((seat) => !table.seats[seat].away);
    const client = clientOf(table.id);
    this.#status = el("p.label", { role: "status" });
    this.menu.ariaLabel = t("table.more");
    replaceContent(this.menu,
      ...rulesInPlay(table, you.seats),
      !talk.bar.hidden && this.#item("table.say", () => {
        this.menu.hidePopover();
        talk.open();
      }),
      !isBetween && this.#item("table.all_moves", () => {
        this.menu.hidePopover();
        this.page.showAllMoves(find(document, "[popovertarget=menu]"));
      }),
      client.isShared && this.#item("table.copy_watch", () => this.#copy(linkTo(`/t/${table.id}`), "table.copied_watch")),
      !client.isShared && this.#item("table.carry", () => attempt(() => this.#copy(carryLink(table.id), "table.copied_carry"), this.#status)),
      ...(client.isShared ? you.seats.map((seat) => this.#takeAlong(client, table, seat, you.seats.length > 1)) : []),
      this.#item("settings.headline", () => this.#openSettings()),
      el("a.button.bare", { href: pathTo("/") }, t("table.home")),
      client.isShared && playing && this.#leave(client, you.seats),
      playing && !you.seats.some((seat) => table.wishes.end.includes(seat)) && this.#end(table, you.seats),
      this.#status);
  }

  /** @param {string} key @param {() => void} act @param {Record<string, string>} [params] */
  #item(key, act, params) {
    return el("button.button.bare", { type: "button", onclick: act }, t(key, params));
  }

  async #openSettings() {
    this.menu.hidePopover();
    const { openSettings } = await later(() => import("../pages/settings.js"));
    openSettings();
  }

  /** Copies the private link of a seat. @param {ServerTable} client @param {Table} table @param {number} seat @param {boolean} several */
  #takeAlong(client, table, seat, several) {
    const key = several ? "table.take_along_name" : "table.take_along";
    const link = () => client.secretOf(seat).then((secret) => linkTo(`/t/${table.id}#seat=${secret}`));
    return this.#item(key, () => attempt(() => this.#copy(link(), "table.copied_seat"), this.#status), {
      name: nameOf(table, seat),
    });
  }

  /** @param {ServerTable} client @param {number[]} seats */
  #leave(client, seats) {
    return this.#confirmed({ item: "table.leave", why: "table.leave_why", now: "table.leave_now" }, async () => {
      for (const seat of seats) await client.leave(seat);
    });
  }

  /** Asks the other people, if there are any. @param {Table} table @param {number[]} seats */
  #end(table, seats) {
    const isAlone = table.seats.every(({ kind, seat }) => kind !== "person" || seats.includes(seat));
    const why = isAlone ? "table.end_why" : "table.end_why_others";
    return this.#confirmed({ item: "table.end", why, now: "table.end_now" }, () =>
      clientOf(table.id).end(true));
  }

  /**
   * An item that asks for confirmation.
   * @param {{item: string, why: string, now: string}} keys of its words
   * @param {() => Promise<unknown>} work
   */
  #confirmed({ item, why, now }, work) {
    const place = el("div.sure");
    const act = () => attempt(async () => {
      await work();
      this.menu.hidePopover();
    }, this.#status);
    const ask = this.#item(item, () => {
      const stay = this.#item("table.stay", () => {
        place.replaceChildren(ask);
        ask.focus();
      });
      place.replaceChildren(el("p.label", t(why)), el("div.hand", this.#item(now, act), stay));
      stay.focus();
    });
    place.append(ask);
    return place;
  }

  /** @param {string | Promise<string>} link @param {string} key of the confirmation */
  async #copy(link, key) {
    if (await copyText(link)) this.#status.textContent = t(key);
  }
}

/** A link with the whole table, for another device. @param {string} id */
async function carryLink(id) {
  const { linkWith } = await later(() => import("../local/carry.js"));
  return linkWith(id);
}

/**
 * The rules of this table, how the bonuses stand, and the pages that explain the game.
 * @param {Table} table
 * @param {number[]} own your seats
 */
function rulesInPlay(table, own) {
  const rules = { ...table.rules, dynasty: table.dynasty, seconds: table.seconds };
  const page = (/** @type {string} */ key, /** @type {string} */ href) =>
    el("a.button.bare", { href, target: "_blank" }, t(key), icon("away"),
      el("span.visually-hidden", `, ${t("table.new_tab")}`));
  return [
    el("section.in-play", { "aria-label": t("table.rules") },
      el("p", rulesSummary(rules)),
      el("p.label", variantNames(rules).join(" · ")),
      table.start && el("p", t("table.from_position")),
      ...bonusLines(table, own).map((line) => el("p", line))),
    page("table.rules", rulesAddress(rules)),
    page("table.learn", pathTo("/learn")),
  ];
}
