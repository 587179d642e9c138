/**
 * The details panel: an opponent's kingdom, a score by territory, or all moves. Where there is room it is beside your
 * kingdom and covers nothing.
 */
import { seal } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { scoreList } from "../draw/scores.js";
import { list, t } from "../i18n/locale.js";
import { gameLog } from "../i18n/move-text.js";
import { kingdomName, nameOf } from "../i18n/names.js";
import { eventsOfGame, readEvents } from "../net/events.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { Table } from "../net/types.js"
 * @typedef {"kingdom" | "score" | "log"} Kind
 * @typedef {{table: Table, own: number[], ownKingdom: Kingdom}} Shown
 */

export class DetailsPanel {
  /** @type {{kind: Kind, seat: number, opener: HTMLElement} | null} */
  #open = null;
  /** The arguments of the last `show`. @type {Shown | null} */
  #last = null;
  /** Tells whether the panel is up to date. */
  #signature = "";

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = target instanceof Node && [panel, this.#open?.opener].some((part) => part?.contains(target));
      // Where it covers the table, a press elsewhere closes it.
      if (this.#open && !inside && getComputedStyle(panel).position === "fixed") this.close();
    });
  }

  /**
   * Opens it, or closes it if it shows the same already.
   * @param {Kind} kind
   * @param {number} seat
   * @param {HTMLElement} opener gets the focus back
   */
  async toggle(kind, seat, opener) {
    if (this.#open?.kind === kind && this.#open.seat === seat) return this.close();
    this.#open = { kind, seat, opener };
    this.#signature = "";
    if (this.#last) await this.#draw(this.#last);
    this.panel.focus({ preventScroll: true });
  }

  close() {
    const opener = this.#open?.opener;
    this.#open = null;
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
    const title = kind === "log" ? t("table.all_moves") : kingdomName(table, seat, own);
    const close = el("button.button.bare.icon.close",
      { type: "button", "aria-label": t("table.close"), onclick: () => this.close() },
      el("span", { "aria-hidden": "true" }, "✕"));
    const { total } = table.kingdoms[seat].score;
    const score = kind !== "log" && el("span.score", total);
    const head = el("div.who", score && seal(seat), el("h2.name", title), score, close);
    this.panel.className = `details ${kind}`;
    this.panel.ariaLabel = kind === "score" ? t("table.kingdom_points", { kingdom: title, n: total }) : title;
    const body = kind === "log" ? await logBody(table, own) : kingdomBody(table, seat, kind, ownKingdom);
    if (signature !== this.#signature) return;
    this.panel.replaceChildren(el("div.sheet", head, body));
    this.panel.hidden = false;
  }
}

/** @param {Table} table @param {number} seat @param {Kind} kind @param {Kingdom} ownKingdom */
function kingdomBody(table, seat, kind, ownKingdom) {
  const { score, squares, dominoes, discarded } = table.kingdoms[seat];
  const large = kind === "kingdom" ? new Kingdom() : null;
  large?.show({ size: table.rules.size, seat, frame: "window", label: nameOf(table, seat), squares, dominoes });
  const lost = discarded.length > 0 && t("table.was_discarded", { dominoes: list(discarded.map(String)) });
  return scrollable("div.body", large, el("div",
    scoreList(score, large ?? ownKingdom, table.totals[seat]),
    !score.territories.length && el("p.label", t("table.nothing_built")),
    lost && el("p.label", lost)));
}

/** @param {Table} table @param {number[]} own */
async function logBody(table, own) {
  const events = eventsOfGame(await readEvents(table.id), table.game);
  return scrollable("div.body.moves", ...gameLog(table, own, events));
}

/** An element that can be scrolled with keys too. @param {string} kind @param {...Child} children */
const scrollable = (kind, ...children) =>
  el(kind, { tabindex: "0", role: "group", "aria-label": t("table.details") }, ...children);
