/**
 * The worker with an engine. It answers calls, and searches in slices of time: between two slices it receives other
 * requests and the order to stop.
 *
 * It keeps the trees of the last positions, so that going back and forward does not restart a search.
 */
import { EngineError, instantiate } from "../../engine/engine.js";

/**
 * @import { Found as Judged } from "../../engine/calls.js"
 * @import { Engine } from "../../engine/engine.js"
 * @import { Grown, NoEngine, Request, Share, Work } from "./engine.js"
 * @typedef {{search: number, playouts: number, isSolved: boolean, isFull: boolean, busy: number}} Tree
 */

/** Milliseconds of a slice. */
const SLICE = 30;
/** Milliseconds between two reports of a tree. */
const REPORT = 250;
/**
 * The most nodes of all trees of a search, and the number of kept searches. With a copy of one, and the solved endings,
 * two workers keep up to 130 MB.
 */
const MOST_NODES = 2 ** 16;
const MOST_TREES = 2;
/** The solver's steps in a slice, one or two milliseconds each. One worker is enough for an ending. */
const STEPS = 16;

/** @type {Engine | null} */
let engine = null;
/** Why there is no engine. @type {NoEngine["why"]} */
let lack = "missing";
/** Whether its file is loaded. */
let hasCome = false;
const started = start();
started.catch(() => {}); // each request reports the reason
/** The kept trees by seed and position, the last used at the end. @type {Map<string, Tree>} */
const trees = new Map();
/** The searches to continue. @type {Set<number>} */
const thinking = new Set();

async function start() {
  const file = await fetch(new URL(`../../engine/${name}.wasm`, import.meta.url));
  if (file.status === 404) lack = "unbuilt";
  const module = await WebAssembly.compileStreaming(file);
  hasCome = true;
  engine = await instantiate(module);
  return engine;
}

/** Lets messages arrive. A timer would wait four milliseconds. */
function breathe() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => { port1.close(); resolve(undefined); };
    port2.postMessage(null);
  });
}

class MissingNetwork extends Error {}

/** @param {string} position */
async function loadNetwork(position) {
  const ask = await started;
  const file = ask("lacking_network", { position });
  if (!file) return;
  const answered = await fetch(new URL(`../../engine/${file}`, import.meta.url)).catch(() => null);
  if (!answered?.ok) throw new MissingNetwork(file);
  ask("load_network", { file, content: [...new Uint8Array(await answered.arrayBuffer())] });
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

/** Keeps a tree, and frees the least recently used one. @param {Engine} ask @param {Share} share @param {Tree} tree */
function keep(ask, { position, seed = 0 }, tree) {
  trees.delete(`${seed} ${position}`);
  trees.set(`${seed} ${position}`, tree);
  const idle = [...trees].find(([, { busy }]) => !busy);
  if (trees.size <= MOST_TREES || !idle) return;
  trees.delete(idle[0]);
  ask("free", { search: idle[1].search });
}

/**
 * Works in slices of this many playouts until done or stopped. Returns whether it is done.
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
  await loadNetwork(share.position);
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
async function answer({ id, name, args, share, work, toSearch }) {
  try {
    const value = share ? await grow(id, share) : work ? await workOn(id, work)
      : toSearch ? await loadNetwork(toSearch) : (await started)(name, args);
    postMessage({ id, answer: value });
  } catch (error) {
    if (error instanceof EngineError && error.failure) return postMessage({ id, failure: error.failure });
    if (error instanceof MissingNetwork) return postMessage({ ended: "missing" });
    // It trapped and is unusable, ran out of memory, has the wrong version, is truncated, or failed to load.
    if (engine || error instanceof RangeError) return postMessage({ ended: "died" });
    return postMessage({ ended: hasCome || error instanceof WebAssembly.CompileError ? "misfit" : lack });
  }
}

onmessage = ({ data }) => {
  if (data.stop) thinking.delete(data.stop);
  else if (data.id) answer(data);
  else postMessage({}); // answers a ping
};
postMessage({});
