/**
 * The details panel: an opponent's kingdom, a score by territory, or all moves. If there is room, it is beside
 * your kingdom and covers nothing.
 */
import { seal } from "../draw/art.js";
import { el, replaceContent } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { scoreList } from "../draw/scores.js";
import { list, t } from "../i18n/locale.js";
import { gameLog } from "../i18n/move-text.js";
import { fullName, kingdomName, nameOf } from "../i18n/names.js";
import { errorText } from "../net/api.js";
import { eventsOfGame } from "../net/events.js";
import { clientOf } from "./client.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { TableEvent } from "../net/events.js"
 * @import { Table } from "../net/types.js"
 * @typedef {"kingdom" | "score" | "log"} Kind
 * @typedef {{table: Table, own: number[], ownKingdom: Kingdom}} Shown
 */

export class DetailsPanel {
  /** @type {{kind: Kind, seat: number, opener: HTMLElement} | null} */
  #open = null;
  /** The arguments of the last `show`. @type {Shown | null} */
  #last = null;
  /** Identifies the content of the panel. */
  #signature = "";
  /** The loaded events of the table. @type {TableEvent[]} */
  #events = [];
  // These stay while their content changes, to keep the focus and the scroll position.
  #head = el("div.who");
  #close = el("button.button.bare.icon.close", { type: "button", "data-key": "close", onclick: () => this.close() },
    el("span", { "aria-hidden": "true" }, "✕"));
  /** Focusable, so that keys can scroll it. */
  #body = el("div", { tabindex: "0", role: "group" });

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    panel.append(el("div.sheet", this.#head, this.#body));
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = target instanceof Node && [panel, this.#open?.opener].some((part) => part?.contains(target));
      // If it covers the table, a press elsewhere closes it.
      if (this.#open && !inside && getComputedStyle(panel).position === "fixed") this.close();
    });
  }

  /**
   * Opens it, or closes it if it already shows this.
   * @param {Kind} kind
   * @param {number} seat
   * @param {HTMLElement} opener gets the focus back
   */
  async toggle(kind, seat, opener) {
    if (this.#open?.kind === kind && this.#open.seat === seat) return this.close();
    this.#open = { kind, seat, opener };
    this.#signature = "";
    if (this.#last) await this.#draw(this.#last);
    this.#body.scrollTop = 0;
    this.panel.focus({ preventScroll: true });
  }

  close() {
    const opener = this.#open?.opener;
    this.#open = null;
    this.#signature = ""; // a log that is still loading is out of date
    this.panel.hidden = true;
    this.#last?.ownKingdom.clearHighlights();
    opener?.focus({ preventScroll: true });
  }

  /**
   * @param {Table} table
   * @param {number[]} own your seats
   * @param {Kingdom} ownKingdom the large kingdom, where territories are highlighted
   */
  show(table, own, ownKingdom) {
    this.#last = { table, own, ownKingdom };
    this.#draw(this.#last);
  }

  /** @param {Shown} shown */
  async #draw({ table, own, ownKingdom }) {
    if (!this.#open) return;
    const { kind, seat } = this.#open;
    const content = kind === "log" ? table.number : [seat, table.kingdoms[seat]];
    const signature = JSON.stringify([content, document.documentElement.lang]);
    if (signature === this.#signature) return;
    this.#signature = signature;
    /** @type {Child[]} */
    let body;
    let isRead = true;
    try {
      body = kind === "log" ? gameLog(table, own, await this.#eventsOf(table)) : kingdomBody(table, seat, kind, ownKingdom);
    } catch (error) {
      body = [el("p.refusal", { role: "alert" }, errorText(error))];
      isRead = false;
    }
    if (signature !== this.#signature) return;
    if (!isRead) this.#signature = ""; // the next `show` tries again
    const title = kind === "log" ? t("table.all_moves") : kingdomName(table, seat, own);
    const { total } = table.kingdoms[seat].score;
    const score = kind !== "log" && el("span.score", total);
    this.panel.className = `details ${kind}`;
    this.panel.ariaLabel = kind === "score" ? t("table.kingdom_points", { kingdom: title, n: total }) : title;
    this.#close.ariaLabel = t("table.close");
    this.#body.ariaLabel = t("table.details");
    this.#body.className = kind === "log" ? "body moves" : "body";
    replaceContent(this.#head, score && seal(seat), el("h2.name", title), score, this.#close);
    replaceContent(this.#body, ...body);
    this.panel.hidden = false;
  }

  /** The events of this game. Loads only new ones. @param {Table} table */
  async #eventsOf({ id, game, number }) {
    const last = () => this.#events.at(-1)?.number ?? 0;
    const more = last() < number ? await clientOf(id).events(last()) : [];
    const read = last(); // another load may have finished meanwhile
    this.#events.push(...more.filter((event) => event.number > read));
    return eventsOfGame(this.#events, game);
  }
}

/** @param {Table} table @param {number} seat @param {Kind} kind @param {Kingdom} ownKingdom */
function kingdomBody(table, seat, kind, ownKingdom) {
  const { score, squares, dominoes, discarded } = table.kingdoms[seat];
  const large = kind === "kingdom" ? new Kingdom() : null;
  large?.show({ size: table.rules.size, seat, frame: "window", label: nameOf(table, seat), squares, dominoes });
  const lost = discarded.length > 0 && t("table.was_discarded", { dominoes: list(discarded.map(String)) });
  return [large, el("div",
    table.seats[seat].kind === "bot" && el("p.label", ...fullName(table, seat)),
    scoreList(score, large ?? ownKingdom, table.totals[seat]),
    !score.territories.length && el("p.label", t("table.nothing_built")),
    lost && el("p.label", lost))];
}
