/**
 * All actions of a position with what they are worth, the best first. Rows change places at most once a second.
 */
import { domino, dominoName, dominoSvg } from "../draw/art.js";
import { el, Emitter } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { chanceText, decimal, whole } from "../i18n/numbers.js";

/**
 * @import { Studied, Value } from "../net/types.js"
 * @import { Known } from "./stream.js"
 */

/** Milliseconds between two changes of the order. */
const CALM = 1000;
/** Standard errors within which two chances are the same. */
const NOISE = 2;

/** @extends {Emitter<{choose: string}>} */
export class Values extends Emitter {
  element = el("section");
  chosen = "";
  /** @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();
  #body = el("tbody", { "aria-live": "off" });
  #alike = el("td", { colspan: "5" });
  #note = el("tr.same", this.#alike);
  #ordered = -Infinity;

  /** Shows the actions of a position before anything is known. @param {Studied} studied @param {string} name of the seat */
  show(studied, name) {
    const { choices, seat } = studied;
    const actions = actionsOf(studied);
    const isPlacing = studied.phase === "place";
    this.chosen = "";
    this.#ordered = -Infinity;
    this.#rows = new Map(actions.map((action) => [action, this.#row(action, studied)]));
    this.#body.replaceChildren(...this.#rows.values());
    const heads = [
      t(isPlacing ? "analysis.spot" : "analysis.domino"), t("analysis.wins", { name }), t("analysis.points"),
      t("analysis.margin"), t("analysis.playouts"),
    ];
    const key = isPlacing ? "analysis.all_spots" : "analysis.all_claims";
    this.element.replaceChildren(...(choices && seat !== null ? [
      el("h2", t(key, { n: actions.length })),
      el("div.sheet", { tabindex: "0", role: "group", "aria-label": t(key, { n: actions.length }) },
        el("table.values", el("thead", el("tr", ...heads.map((head) => el("th", { scope: "col" }, head)))), this.#body)),
    ] : []));
  }

  /** Shows what is known now. @param {Known} known @param {boolean} isLast */
  update({ actions, exact }, isLast = false) {
    for (const value of actions) this.#write(value, exact);
    const now = performance.now();
    if (now - this.#ordered < CALM && !isLast) return;
    this.#ordered = now;
    const alike = exact ? 0 : countAlike(actions);
    const order = actions.map(({ action }) => this.#rows.get(action)).filter((row) => row !== undefined);
    this.#alike.textContent = t("analysis.alike", { n: alike });
    if (alike > 1) order.splice(alike, 0, this.#note);
    else this.#note.remove();
    this.#arrange(order);
  }

  /** Moves rows to where they belong, around the one with the focus, which would lose it. @param {HTMLTableRowElement[]} rows */
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
    for (const [each, row] of this.#rows) {
      row.classList.toggle("chosen", each === action);
      const button = row.querySelector("button");
      if (button) button.ariaPressed = String(each === action);
    }
  }

  /** @param {string} action @param {Studied} studied */
  #row(action, studied) {
    const row = el("tr", { onclick: () => this.emit("choose", action) },
      el("td", el("button.pick", { type: "button", "aria-pressed": "false", "aria-label": nameOf(action, studied) },
        picture(action, studied)),
        studied.phase === "place" && el("small.then")),
      ...["chance", "number", "number", "number"].map((name) => el("td", { class: name === "number" ? name : "" }, name === "chance" && el("div.chance"))));
    return row;
  }

  /** @param {Value} value @param {boolean} isExact */
  #write({ action, win, score, margin, playouts, line }, isExact) {
    const row = this.#rows.get(action);
    if (!row || win === null || score === null || margin === null) return;
    const then = row.querySelector(".then");
    const [word, domino] = line[1]?.split(" ") ?? [];
    if (then) then.textContent = word === "claim" ? t("analysis.then_claim", { domino }) : "";
    const [, chance, points, difference, count] = row.cells;
    const meter = chance.querySelector("meter") ?? el("meter", { min: 0, max: 1, "aria-hidden": "true" });
    if (meter instanceof HTMLMeterElement) meter.value = win;
    chance.firstElementChild?.replaceChildren(meter, chanceText(win, isExact));
    points.textContent = decimal(score);
    difference.textContent = decimal(margin, true);
    count.textContent = playouts ? whole(playouts) : "";
  }
}

/** Every action, as the server lists them. @param {Studied} studied */
function actionsOf({ choices, phase, fits }) {
  if (!choices) return [];
  if (phase === "place" && !fits) return ["discard"];
  return [...choices.placements, ...choices.claims].map(({ action }) => action);
}

/** How many of the first have chances that may be the same. @param {Value[]} values */
function countAlike([best, ...others]) {
  if (!best || best.win === null) return 0;
  const isAlike = (/** @type {Value} */ { win, error }) =>
    win !== null && (best.win ?? 0) - win < NOISE * Math.hypot(best.error ?? 0, error ?? 0);
  const first = others.findIndex((value) => !isAlike(value));
  return (first === -1 ? others.length : first) + 1;
}

/** @param {string} action @param {Studied} studied */
function picture(action, { choices, kingdoms, rules, seat }) {
  const placement = choices?.placements.find((each) => each.action === action);
  const [word, number] = action.split(" ");
  if (word === "claim") return el("div.domino", dominoSvg(Number(number)));
  if (!placement || !choices?.domino || seat === null) return t("analysis.discarded");
  const { left, right } = domino(choices.domino);
  const kingdom = new Kingdom();
  kingdom.show({
    size: rules.size, seat, frame: "box", plain: true,
    squares: [
      ...kingdoms[seat].squares, { x: placement.left[0], y: placement.left[1], ...left },
      { x: placement.right[0], y: placement.right[1], ...right },
    ],
  });
  kingdom.ariaHidden = "true";
  return kingdom;
}

/** @param {string} action @param {Studied} studied */
function nameOf(action, { choices }) {
  const [word, number] = action.split(" ");
  if (word === "claim") return dominoName(Number(number));
  const placement = choices?.placements.find((each) => each.action === action);
  if (!placement) return t("analysis.discarded");
  return t("analysis.spot_name", { left: placement.left.join(", "), right: placement.right.join(", "), points: placement.points });
}
