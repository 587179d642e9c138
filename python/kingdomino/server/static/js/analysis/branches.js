/**
 * Named branches: the moves that lead from a position to another, under a name. This device keeps them, and an address
 * can hold one.
 */
import { loadSetting, saveSetting } from "../net/storage.js";
import { play } from "./study.js";
import { childOf } from "./tree.js";

/**
 * @import { Node } from "./tree.js"
 * @typedef {{root: string, moves: string[], name: string}} Branch
 */

const SETTING = "branches";
/** How many branches to keep, the last named ones. */
const MOST = 100;
export const LONGEST_NAME = 40;
/** More moves than any game has. */
const MOST_MOVES = 400;
const BETWEEN = ";";
const MOVE = /^(claim|place|discard|reveal|draw)\b/;

/** @param {unknown} one @returns {one is Branch} */
function isBranch(one) {
  if (typeof one !== "object" || one === null) return false;
  const { root, moves, name } = /** @type {Record<string, unknown>} */ (one);
  return typeof root === "string" && typeof name === "string" && Array.isArray(moves) && areMoves(moves);
}

/** @param {unknown[]} moves */
const areMoves = (moves) => moves.length > 0 && moves.length <= MOST_MOVES && moves.every((move) => typeof move === "string" && MOVE.test(move));

/** @returns {Branch[]} */
function allBranches() {
  const found = loadSetting(SETTING);
  return Array.isArray(found) ? found.filter(isBranch) : [];
}

/** The named branches from a position. @param {string} root */
export const branchesFrom = (root) => allBranches().filter((one) => one.root === root);

/** Stores a branch under its name, or deletes it without one. @param {Branch} branch */
export function keepBranch(branch) {
  const key = (/** @type {Branch} */ { root, moves }) => JSON.stringify([root, moves]);
  const others = allBranches().filter((one) => key(one) !== key(branch));
  saveSetting(SETTING, [...others, ...branch.name ? [branch] : []].slice(-MOST));
}

/** The branch that ends at a node; null at a root. @param {Node} node @returns {Branch | null} */
export function branchTo(node) {
  /** @type {string[]} */
  const moves = [];
  let at = node;
  for (; at.parent; at = at.parent) moves.unshift(...movesOf(at, at.parent));
  return moves.length ? { root: at.text, moves, name: node.name } : null;
}

/** The moves from a node to the next one, including what chance brought. @param {Node} node @param {Node} parent */
function movesOf({ move, studied }, { studied: before }) {
  if (move !== "chance" || !studied || !before) return [move];
  const line = before.unseen.filter((number) => !studied.unseen.includes(number));
  const isDrawn = studied.phase === "claim" && (before.due === "king" || !studied.round);
  return [...line.length ? [`reveal ${line.join(" ")}`] : [], ...isDrawn ? [`draw ${studied.to_move}`] : []];
}

/** The query of an address. @param {Branch} branch */
export const queryOf = ({ root, moves, name }) =>
  `?${new URLSearchParams({ position: root, moves: moves.join(BETWEEN), ...name && { name } })}`;

/** The branch of an address; null without valid moves. @param {URLSearchParams} asked @returns {Branch | null} */
export function branchOf(asked) {
  const moves = (asked.get("moves") ?? "").split(BETWEEN);
  const name = (asked.get("name") ?? "").trim().slice(0, LONGEST_NAME);
  return areMoves(moves) ? { root: asked.get("position") ?? "", moves, name } : null;
}

/** Adds a branch to the tree, and returns its last node. Throws if a move is impossible. @param {Node} root @param {Branch} branch */
export async function follow(root, { moves, name }) {
  /** @type {[string, import("./study.js").Studied][]} */
  const path = [];
  for (const move of moves) path.push([move, await play(path.at(-1)?.[1].text ?? root.text, move)]);
  let at = root;
  for (const [move, studied] of path) {
    at = childOf(at, move, studied.text);
    at.studied ??= studied;
  }
  at.name ||= name;
  return at;
}
