/**
 * The moves tried from a position. A node keeps the results for its position, so that going back and forward does not
 * restart a search.
 */
import { dominoSvg, svg, use } from "../draw/art.js";
import { el, replaceContent } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { chanceText, percent } from "../i18n/numbers.js";
import { worthOf } from "./due.js";
import { listedFor, seatOf } from "./study.js";
import { moveText } from "./text.js";

/**
 * @import { DominoWorth, SampledLine } from "../../engine/calls.js"
 * @import { Found } from "../engine/engine.js"
 * @import { Studied } from "./study.js"
 * @import { NameOf } from "./text.js"
 *
 * @typedef {object} Node a position, and the ones reached from it
 * @property {string} text
 * @property {string} move that led here; empty at the root
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {boolean} isGame whether the record has this move
 * @property {Studied | null} studied once visited
 * @property {Found | null} found the search's result so far
 * @property {string} name of the branch that ends here, or empty
 * @property {DominoWorth[] | null} worths the values of the line's dominoes, once loaded
 * @property {SampledLine[]} lines the samples so far, if a line comes next
 */

const DEEPEST = 4;

/** @param {string} text @param {Partial<Node>} [rest] @returns {Node} */
export const newNode = (text, rest) => ({
  text, move: "", parent: null, children: [], isGame: false, studied: null, found: null, name: "", worths: null, lines: [], ...rest,
});

/** The node after a move; creates a missing one. @param {Node} from @param {string} move @param {string} text @param {boolean} [isGame] */
export function childOf(from, move, text, isGame = false) {
  let child = from.children.find((each) => each.text === text);
  if (!child) from.children.push(child = newNode(text, { move, parent: from }));
  if (isGame) child.isGame = true;
  return child;
}

/** @param {Node} node @returns {Node} */
export const rootOf = (node) => (node.parent ? rootOf(node.parent) : node);

/** The chance of the seat that made the move, or at the root of the seat to move, if known. @param {Node} node */
export function chanceOf({ parent, move, found, studied }) {
  const seat = (parent ?? { studied }).studied?.to_move;
  if (seat == null) return null;
  const own = found?.analysis.actions[0]?.win_rates[seat] ?? studied?.outcome?.winners.includes(seat);
  const listed = parent?.studied && listedFor(parent.studied, move);
  const before = parent?.found?.analysis.actions.find(({ action }) => action === listed)?.win_rates[seat];
  const chance = own ?? before;
  return chance == null ? null : chanceText(Number(chance), Boolean(found?.analysis.exact ?? studied?.outcome));
}

/**
 * Draws the tree.
 * @param {Element} list
 * @param {Node} at the current node
 * @param {NameOf} nameOf
 * @param {(to: Node) => void} go
 */
export function drawTree(list, at, nameOf, go) {
  /** @type {HTMLElement[]} */
  const items = [];
  const above = new Set();
  for (let each = /** @type {Node | null} */ (at.parent); each; each = each.parent) above.add(each);
  const draw = (/** @type {Node} */ node, /** @type {number} */ depth) => {
    const worth = node.studied && worthOf(node.lines, seatOf(node.studied));
    const swing = worth && t("analysis.swing", { percent: percent(worth.spread) });
    const words = node.parent ? moveText(node, nameOf) : t("analysis.root");
    const level = Math.min(depth, DEEPEST);
    items.push(el("li", { class: [`lv${level}`, node.isGame && "game", above.has(node) && "on"].filter(Boolean).join(" ") },
      el("button", {
        type: "button", "data-key": node.text, "aria-current": node === at ? "true" : null, onclick: () => go(node),
      }, pictureOf(node), el("span", node.name && el("strong", node.name), node.isGame ? t("analysis.of_game", { words }) : words), el("b", swing || chanceOf(node)))));
    for (const child of node.children) draw(child, depth + 1);
  };
  draw(rootOf(at), 0);
  replaceContent(list, ...items);
  const [frame, current] = [list, list.querySelector("[aria-current]")].map((each) => each?.getBoundingClientRect());
  if (frame && current && (current.top < frame.top || current.bottom > frame.bottom)) list.scrollTop += current.top - frame.top; // only the list
}

/** The domino of the move, or the back of one for chance. @param {Node} node */
function pictureOf({ parent, move }) {
  const [word, number] = move.split(" ");
  const domino = word === "claim" ? Number(number) : word === "place" || word === "discard" ? parent?.studied?.domino : null;
  if (domino) return el("div.domino", { "aria-hidden": "true" }, dominoSvg(domino));
  return el("div.domino.back", { "aria-hidden": "true" }, parent ? svg("0 0 200 100", use("domino-back", 0, 0, 200, 100)) : svg("0 0 200 100", use("castle", 50, 0, 100)));
}
