/**
 * A closer look at something, on demand and without covering one's own land where there is room beside it:
 * a rival's kingdom, a score by territory, or all moves.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { seal } from "./art.js";
import { h } from "./h.js";
import { history, ofGame } from "./history.js";
import "./kingdom.js";
import { story } from "./news.js";
import { kingdomOf, nameOf } from "./rich.js";
import { scoreList } from "./scores.js";
import { list, t } from "./words.js";

export class Look {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {{kind: "kingdom" | "score" | "log", seat: number, opener: HTMLElement} | null} */
    this.open = null;
    /** @type {[Table, number[], any] | null} what was shown last */
    this.last = null;
    /** What of it the panel shows. */
    this.sign = "";
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = [panel, this.open?.opener].some((part) => part?.contains(/** @type {Node} */ (target)));
      // Beside the land it may stay; where it lies over other things, a tap elsewhere closes it.
      if (this.open && !inside && getComputedStyle(panel).position === "fixed") this.close();
    });
  }

  /**
   * Opens it, or closes it when it shows the same already.
   * @param {"kingdom" | "score" | "log"} kind
   * @param {number} seat
   * @param {HTMLElement} opener where the focus goes back to
   */
  async toggle(kind, seat, opener) {
    if (this.open?.kind === kind && this.open.seat === seat) return this.close();
    this.open = { kind, seat, opener };
    this.sign = "";
    if (this.last) await this.show(...this.last);
    this.panel.focus({ preventScroll: true });
  }

  close() {
    const { opener } = this.open ?? {};
    this.open = null;
    this.panel.hidden = true;
    this.last?.[2].dark();
    opener?.focus({ preventScroll: true });
  }

  /**
   * @param {Table} table
   * @param {number[]} mine
   * @param {any} ownKingdom where territories of the large kingdom are lit
   */
  async show(table, mine, ownKingdom) {
    this.last = [table, mine, ownKingdom];
    if (!this.open) return;
    const { kind, seat } = this.open;
    const seen = kind === "log" ? table.number : [seat, table.kingdoms[seat]];
    const sign = JSON.stringify([seen, document.documentElement.lang]);
    if (sign === this.sign) return;
    this.sign = sign;
    const title = kind === "log" ? t("table.all_moves") : kingdomOf(table, seat, mine);
    const close = h("button.button.bare.icon.close",
      { type: "button", "aria-label": t("table.close"), onclick: () => this.close() },
      h("span", { "aria-hidden": "true" }, "✕"));
    const points = kind === "log" ? null : table.kingdoms[seat].score.total;
    const head = h("div.who", points !== null && seal(seat), h("h2.name", title),
      points !== null && h("span.score", points), close);
    this.panel.className = `look ${kind}`;
    this.panel.ariaLabel = kind === "score" ? t("table.kingdom_points", { kingdom: title, n: points }) : title;
    const inside = kind === "log" ? await this.#log(table, mine) : this.#kingdom(table, seat, kind, ownKingdom);
    if (sign !== this.sign) return;
    this.panel.replaceChildren(h("div.sheet", head, inside));
    this.panel.hidden = false;
  }

  /** @param {Table} table @param {number} seat @param {string} kind @param {any} ownKingdom */
  #kingdom(table, seat, kind, ownKingdom) {
    const { score, dominoes, discarded } = table.kingdoms[seat];
    const large = kind === "kingdom" ? h("kd-kingdom") : null;
    if (large) {
      const label = nameOf(table, seat);
      Object.assign(large, { size: table.rules.size, seat, frame: "window", label, dominoes });
    }
    const lost = discarded.length > 0 && t("table.was_discarded", { dominoes: list(discarded.map(String)) });
    return body("div.body", large, h("div",
      scoreList(score, large ?? ownKingdom, table.totals[seat]),
      !score.territories.length && h("p.label", t("table.nothing_built")),
      lost && h("p.label", lost)));
  }

  /** @param {Table} table @param {number[]} mine */
  async #log(table, mine) {
    const events = ofGame(await history(table.id), table.game);
    return body("div.body.story", ...story(table, mine, events));
  }
}

/** What scrolls where there is more of it than room, also by keys. @param {string} kind @param {...any} parts */
const body = (kind, ...parts) =>
  h(kind, { tabindex: "0", role: "group", "aria-label": t("table.details") }, ...parts);
