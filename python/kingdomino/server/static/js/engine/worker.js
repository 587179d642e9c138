/**
 * The worker that holds an engine. It answers calls, and thinks in slices by its own clock: between two slices it hears
 * what else is asked, and that it should stop.
 *
 * The trees of the last positions stay, so that going back and forward among them begins nothing again.
 */
import { EngineError, instantiate } from "../../engine/engine.js";

/**
 * @import { Found as Judged } from "../../engine/calls.js"
 * @import { Engine } from "../../engine/engine.js"
 * @import { Grown, NoEngine, Request, Share, Work } from "./engine.js"
 * @typedef {{search: number, playouts: number, isSolved: boolean, isFull: boolean, busy: number}} Tree
 */

/** Milliseconds that one slice takes. */
const SLICE = 30;
/** Milliseconds between two reports of a tree. */
const REPORT = 250;
/**
 * Nodes of all trees of a thought, and the thoughts that stay. With a copy of one, and the endings that each has solved,
 * two workers then keep up to 130 MB.
 */
const MOST_NODES = 2 ** 16;
const MOST_TREES = 2;
/** Steps of the solver in a slice, a millisecond or two each. One worker is enough for an ending. */
const STEPS = 16;

/** @type {Engine | null} */
let engine = null;
/** Why there is none. @type {NoEngine["why"]} */
let lack = "missing";
/** Whether its file has come. */
let hasCome = false;
const started = start();
started.catch(() => {}); // each request says why
/** By seed and position. The tree used last is at the end. @type {Map<string, Tree>} */
const trees = new Map();
/** The thoughts that are to go on. @type {Set<number>} */
const thinking = new Set();

async function start() {
  const file = await fetch(new URL("../../engine/kingdomino.wasm", import.meta.url));
  if (file.status === 404) lack = "unbuilt";
  const module = await WebAssembly.compileStreaming(file);
  hasCome = true;
  engine = await instantiate(module);
  return engine;
}

/** Lets messages come in. A timer would wait for four milliseconds. */
function breathe() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => { port1.close(); resolve(undefined); };
    port2.postMessage(null);
  });
}

/** The tree of a position: a kept tree, a branch of the tree before it, or a new tree. @param {Engine} ask @param {Share} share */
function treeOf(ask, { position, seed = 0, after, tree }) {
  const old = trees.get(`${seed} ${position}`);
  if (old) return old;
  const before = after && trees.get(`${seed} ${after.position}`);
  const search = before ? ask("branch", { search: before.search, action: after.action }) : ask("search", { position, seed, tree });
  const { playouts } = ask("analysis", { search });
  return { search, playouts, isSolved: false, isFull: false, busy: 0 };
}

/** Keeps a tree, and frees the tree that is unused for longest. @param {Engine} ask @param {Share} share @param {Tree} tree */
function keep(ask, { position, seed = 0 }, tree) {
  trees.delete(`${seed} ${position}`);
  trees.set(`${seed} ${position}`, tree);
  const idle = [...trees].find(([, { busy }]) => !busy);
  if (trees.size <= MOST_TREES || !idle) return;
  trees.delete(idle[0]);
  ask("free", { search: idle[1].search });
}

/**
 * Does something in slices of this number of playouts, until it is done or no longer wanted. Returns whether it is done.
 * @param {number} id
 * @param {(playouts: number) => boolean} slice returns whether it is done
 */
async function inSlices(id, slice) {
  let count = 50;
  while (thinking.has(id)) {
    const began = performance.now();
    if (slice(count)) return true;
    count = Math.max(1, Math.round(count * Math.min(2, SLICE / Math.max(1, performance.now() - began))));
    await breathe();
  }
  return false;
}

/** @param {number} id @param {Work} work @returns {Promise<Judged | null>} null if it was stopped */
async function workOn(id, { name, args }) {
  thinking.add(id);
  const ask = await started;
  const work = ask(name, args);
  /** @type {Judged | null} */
  let found = null;
  try {
    await inSlices(id, (playouts) => (found = ask("work", { work, playouts })) !== null);
    return found;
  } finally {
    thinking.delete(id);
    if (!found) ask("drop_work", { work });
  }
}

/** @param {number} id @param {Share} share @returns {Promise<Grown>} */
async function grow(id, share) {
  thinking.add(id);
  const ask = await started;
  const tree = treeOf(ask, share);
  tree.busy += 1;
  keep(ask, share, tree);
  const { search } = tree;
  const nodes = Math.floor(MOST_NODES / share.trees);
  const most = share.playouts ? Math.ceil(share.playouts / share.trees) : nodes;
  const steps = share.tree ? 1 : STEPS;
  const grown = () => ({
    trees: tree.isSolved ? [] : ask("sums", { search }),
    solved: tree.isSolved ? ask("analysis", { search }) : null,
    isWhole: tree.isSolved || tree.isFull || tree.playouts >= most,
  });
  let reported = performance.now();
  try {
    await inSlices(id, (count) => {
      if (tree.isSolved || tree.isFull || tree.playouts >= most) return true;
      const playouts = Math.min(count, most - tree.playouts);
      const stop = ask("run", { search, playouts, nodes, steps });
      tree.playouts += playouts;
      [tree.isSolved, tree.isFull] = [stop === "solved", stop === "full"];
      const now = performance.now();
      if (now - reported >= REPORT) {
        reported = now;
        postMessage({ id, progress: grown() });
      }
      return false;
    });
    return grown();
  } finally {
    tree.busy -= 1;
    thinking.delete(id);
  }
}

/** Answers a request, or says why it cannot. @param {Request} request */
async function answer({ id, name, args, share, work }) {
  try {
    const value = share ? await grow(id, share) : work ? await workOn(id, work) : (await started)(name, args);
    postMessage({ id, answer: value });
  } catch (error) {
    if (error instanceof EngineError && error.failure) return postMessage({ id, failure: error.failure });
    // It trapped and cannot be used any more, found no memory, is of another version or cut short, or never came.
    if (engine || error instanceof RangeError) return postMessage({ ended: "died" });
    return postMessage({ ended: hasCome || error instanceof WebAssembly.CompileError ? "misfit" : lack });
  }
}

onmessage = ({ data }) => {
  if (data.stop) thinking.delete(data.stop);
  else if (data.id) answer(data);
  else postMessage({}); // so that the page knows that it is alive
};
postMessage({});
