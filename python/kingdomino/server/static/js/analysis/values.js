/**
 * The different actions of a position with their values, best first. Rows change places at most once a second.
 */
import { domino, dominoName, dominoSvg } from "../draw/art.js";
import { el, Emitter } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { chanceText, decimal } from "../i18n/numbers.js";
import { landOf, listedFor } from "./study.js";
import { placeText } from "./text.js";

/**
 * @import { ActionAnalysis, Analysis } from "../../engine/calls.js"
 * @import { Studied } from "./study.js"
 */

/** Milliseconds between two changes of the order. */
const CALM = 1000;
/** Chances within this many standard errors count as equal. */
const NOISE = 2;
/** An action with fewer playouts, or with a smaller part of all, counts as hardly tried. */
const HARDLY = 30;
const RARELY = 0.002;
/** The error for two players counts at most this many playouts: after 8,000, values vary between seeds as much as with
 * 4,000 independent games, and more playouts hardly reduce this (docs/evidence/search.md). */
const SURE = 4000;

/** Whether an action has too few playouts to judge it. @param {ActionAnalysis} value @param {Analysis} analysis */
const isHardlyTried = ({ playouts }, { playouts: all, exact }) => !exact && playouts < Math.max(HARDLY, all * RARELY);

/** The actions by their chances, hardly tried ones last. Exact values are sorted already. @param {Analysis} analysis @param {number} seat */
export function bestFirst(analysis, seat) {
  const rank = (/** @type {ActionAnalysis} */ value) => (value.win_rates[seat] ?? 0) - (isHardlyTried(value, analysis) ? 2 : 0);
  return analysis.exact ? analysis.actions : [...analysis.actions].sort((one, other) => rank(other) - rank(one));
}

/** The approximate standard error of a chance. @param {ActionAnalysis} value @param {number} seat */
export function errorOf({ win_rates, playouts }, seat) {
  const win = win_rates[seat] ?? 0;
  const most = win_rates.length === 2 ? SURE : Infinity;
  return Math.sqrt(Math.max(win * (1 - win), 0) / Math.min(Math.max(playouts, 1), most));
}

/** @extends {Emitter<{choose: string}>} */
export class Values extends Emitter {
  element = el("section.list");
  chosen = "";
  /** @type {Studied | null} */
  #studied = null;
  #seat = 0;
  /** @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();
  #body = el("tbody", { "aria-live": "off" });
  #hardly = el("span.label", { "aria-live": "off" });
  #alike = el("td", { colspan: "4" });
  #note = el("tr.same", this.#alike);
  #ordered = -Infinity;

  /** Shows the actions of a position before the first result. @param {Studied} studied @param {string} name of the seat */
  show(studied, name) {
    const { to_move, phase } = studied;
    const actions = studied.actions.filter((action) => listedFor(studied, action) === action);
    const isPlacing = phase === "place";
    this.chosen = "";
    this.#studied = studied;
    this.#seat = to_move ?? 0;
    this.#ordered = -Infinity;
    this.#rows = new Map(actions.map((action) => [action, this.#row(action, studied)]));
    this.#body.replaceChildren(...this.#rows.values());
    this.#hardly.textContent = t("analysis.best_first");
    const heads = [t(isPlacing ? "analysis.spot" : "analysis.domino"), t("analysis.wins", { name }), t("analysis.points"), t("analysis.margin")];
    const words = t(isPlacing ? "analysis.all_spots" : "analysis.all_claims", { n: actions.length });
    this.element.replaceChildren(
      el("div.head2", el("h2", words), this.#hardly),
      el("div.sheet.eight", { tabindex: "0", role: "region", "aria-label": words },
        el("table.values", el("thead", el("tr", ...heads.map((head) => el("th", { scope: "col" }, head)))), this.#body)));
  }

  /** Shows a result. @param {Analysis} analysis @param {boolean} isLast */
  update(analysis, isLast = false) {
    const { actions, exact } = analysis;
    for (const value of actions) this.#write(value, exact, isHardlyTried(value, analysis));
    const now = performance.now();
    if (now - this.#ordered < CALM && !isLast) return;
    this.#ordered = now;
    const hardly = actions.filter((value) => isHardlyTried(value, analysis)).length;
    this.#hardly.textContent = hardly ? t("analysis.hardly_of", { n: hardly }) : t("analysis.best_first");
    const alike = exact ? 0 : this.#countAlike(actions);
    const order = actions.map(({ action }) => this.#rows.get(action)).filter((row) => row !== undefined);
    this.#alike.textContent = t("analysis.alike", { n: alike });
    if (alike > 1) order.splice(alike, 0, this.#note);
    else this.#note.remove();
    this.#arrange(order);
  }

  /** Sorts the rows, without moving the row with the focus, which would lose it. @param {HTMLTableRowElement[]} rows */
  #arrange(rows) {
    const still = Math.max(0, rows.findIndex((row) => row.contains(document.activeElement)));
    for (let at = still - 1; at >= 0; at -= 1) {
      if (rows[at].nextElementSibling !== rows[at + 1]) rows[at + 1].before(rows[at]);
    }
    for (let at = still + 1; at < rows.length; at += 1) {
      if (rows[at].previousElementSibling !== rows[at - 1]) rows[at - 1].after(rows[at]);
    }
  }

  /** @param {string} action */
  choose(action) {
    this.chosen = action;
    const listed = this.#studied && listedFor(this.#studied, action);
    for (const [each, row] of this.#rows) {
      row.classList.toggle("chosen", each === listed);
      const button = row.querySelector("button");
      if (button) button.ariaPressed = String(each === listed);
    }
  }

  /** @param {string} action @param {Studied} studied */
  #row(action, studied) {
    return el("tr", { onclick: () => this.emit("choose", action) },
      el("td", el("button.pick", { type: "button", "aria-pressed": "false", "aria-label": nameOf(action, studied) }, picture(action, studied))),
      el("td", el("div.chance")), el("td.number"), el("td.number"));
  }

  /** @param {ActionAnalysis} value @param {boolean} isExact @param {boolean} isHardly tried */
  #write({ action, win_rates, mean_scores, mean_margin }, isExact, isHardly) {
    const row = this.#rows.get(action);
    const [win, score, margin] = [win_rates, mean_scores, mean_margin].map((figures) => figures[this.#seat]);
    if (!row || win == null || score == null || margin == null) return;
    row.classList.toggle("hardly", isHardly);
    const [, chance, points, difference] = row.cells;
    const meter = chance.querySelector("meter") ?? el("meter", { min: 0, max: 1, "aria-hidden": "true" });
    if (meter instanceof HTMLMeterElement) meter.value = win;
    chance.firstElementChild?.replaceChildren(meter, el("b", chanceText(win, isExact)), ...(isHardly ? [el("small", t("analysis.hardly"))] : []));
    points.textContent = decimal(score);
    difference.textContent = decimal(margin, true);
  }

  /** How many of the first actions may be equally good. @param {ActionAnalysis[]} values */
  #countAlike([best, ...others]) {
    const seat = this.#seat;
    const win = best?.win_rates[seat];
    if (win == null) return 0;
    const isAlike = (/** @type {ActionAnalysis} */ value) => {
      const other = value.win_rates[seat];
      return other != null && win - other < NOISE * Math.hypot(errorOf(best, seat), errorOf(value, seat));
    };
    const first = others.findIndex((value) => !isAlike(value));
    return (first === -1 ? others.length : first) + 1;
  }
}

/** @param {string} action @param {Studied} studied */
function picture(action, { choices, kingdoms, rules, to_move }) {
  const placement = choices?.placements.find((each) => each.action === action);
  const [word, number] = action.split(" ");
  if (word === "claim") return el("div.domino", dominoSvg(Number(number)));
  if (!placement || !choices?.domino || to_move === null) return t("analysis.discarded");
  const { left, right } = domino(choices.domino);
  const kingdom = new Kingdom();
  kingdom.show({
    size: rules.size, seat: to_move, frame: "box", plain: true,
    squares: [
      ...landOf(kingdoms[to_move]), { x: placement.left[0], y: placement.left[1], ...left },
      { x: placement.right[0], y: placement.right[1], ...right },
    ],
  });
  kingdom.ariaHidden = "true";
  return kingdom;
}

/** @param {string} action @param {Studied} studied */
function nameOf(action, studied) {
  const [word, number] = action.split(" ");
  if (word === "claim") return dominoName(Number(number));
  const placement = studied.choices?.placements.find((each) => each.action === action);
  if (!placement) return t("analysis.discarded");
  const place = placeText(studied, action);
  return t("analysis.spot_name", { place, left: placement.left.join(", "), right: placement.right.join(", "), points: placement.points });
}
