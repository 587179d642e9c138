/**
 * The nine rules, each with a picture, and the fine print. Switches add the changes of each variant.
 * `/rules#3,harmony` begins with the players and the switches after the `#`.
 */
import { artReady } from "../draw/art.js";
import { byId, el } from "../draw/dom.js";
import { t, wordsReady } from "../i18n/locale.js";
import { start } from "../net/api.js";
import { picture } from "./rule-pictures.js";
import { canHave, DEFAULT_RULES, possible, rulesReady, rulesSet } from "./rules-sets.js";

/** @import { Settings } from "../i18n/rules-text.js" */

const PLAYERS = [2, 3, 4];
/** The title of each switch, and its changes. @type {Record<string, {title: string, on: Partial<Settings>}>} */
const SWITCHES = {
  harmony: { title: "common.harmony", on: { harmony: true } },
  middle_kingdom: { title: "common.middle_kingdom", on: { middle_kingdom: true } },
  mighty_duel: { title: "common.mighty_duel", on: { mighty_duel: true } },
  dynasty: { title: "common.dynasty", on: { dynasty: "total" } },
  first: { title: "rules.first", on: { edition: "first" } },
  snake: { title: "rules.snake", on: { opening: "snake" } },
};
/** The nine rules, and the lines that variants add to each. @type {Record<string, string[]>} */
const RULES = {
  castle: [],
  match: [],
  box: ["mighty_duel"],
  turn: ["two", "three", "three_first"],
  order: ["snake"],
  discard: [],
  score: [],
  bonus: ["harmony", "middle_kingdom"],
  tie: ["first", "dynasty"],
};
/** The title of each line, and the rules to which it applies.
 * @type {Record<string, {title: string, holds: (rules: Settings) => boolean}>} */
const LINES = {
  mighty_duel: { title: "common.mighty_duel", holds: (rules) => rules.mighty_duel },
  two: { title: "common.players_2", holds: ({ players }) => players === 2 },
  three: { title: "common.players_3", holds: ({ players, edition }) => players === 3 && edition === "second" },
  three_first: { title: "rules.first", holds: ({ players, edition }) => players === 3 && edition === "first" },
  snake: { title: "rules.snake", holds: ({ opening }) => opening === "snake" },
  harmony: { title: "common.harmony", holds: (rules) => rules.harmony },
  middle_kingdom: { title: "common.middle_kingdom", holds: (rules) => rules.middle_kingdom },
  first: { title: "rules.first", holds: ({ edition }) => edition === "first" },
  dynasty: { title: "common.dynasty", holds: ({ dynasty }) => dynasty !== null },
};
/** Points that a rulebook leaves open or does not explain. */
const EXACTLY = ["centre", "gap", "touch", "ends", "own_king", "numbers", "hidden", "places", "dynasty"];

const chosen = location.hash.slice(1).split(",");
let settings = {
  ...DEFAULT_RULES,
  players: PLAYERS.find((players) => chosen.includes(String(players))) ?? DEFAULT_RULES.players,
  ...Object.assign({}, ...chosen.map((name) => SWITCHES[name]?.on)),
};

/** @param {number} players */
function playersChoice(players) {
  const input = el("input", { type: "radio", name: "players", value: players, checked: players === settings.players,
    onchange: () => change({ players }) });
  return el("label", input, el("span", players));
}

/** @param {string} name */
function variantSwitch(name) {
  const { title, on } = SWITCHES[name];
  const off = Object.fromEntries(Object.entries(DEFAULT_RULES).filter(([key]) => key in on));
  /** @type {HTMLInputElement} */
  const input = el("input", { type: "checkbox", role: "switch", id: name, checked: chosen.includes(name),
    onchange: () => change(input.checked ? on : off) });
  return el("label", input, t(title));
}

/** A rule, with the lines that variants can add. @param {string} key */
function rule(key) {
  const lines = RULES[key].map((line) => el("p.changed", { "data-line": line }));
  return el("li.sheet", picture(key), el("h2", t(`rules.${key}_title`)), el("p", t(`rules.${key}`)), ...lines);
}

/** @param {string} key */
const exactly = (key) =>
  el("li.sheet", picture(key), el("h3", t(`rules.${key}_title`)), el("p", t(`rules.exactly_${key}`)));

/** @param {Partial<Settings>} changed */
function change(changed) {
  settings = { ...settings, ...changed };
  show();
}

/** Shows a summary of the rules, and the lines of the active variants. */
function show() {
  const rules = possible(settings);
  const { players, kings, dominoes, rounds, size } = rulesSet(rules);
  for (const [name, { on }] of Object.entries(SWITCHES)) {
    byId(name, HTMLInputElement).disabled = !canHave(players, on);
  }
  byId("summary").textContent = t("rules.summary", {
    players: t(`common.players_${players}`), kings: t(`rules.kings_${kings}`), rounds, size,
    dominoes: t(dominoes === 48 ? "common.dominoes_all" : "common.dominoes_some", { n: dominoes }),
  });
  for (const line of document.querySelectorAll("p[data-line]")) {
    if (!(line instanceof HTMLElement)) continue;
    const key = String(line.dataset.line);
    line.hidden = !LINES[key].holds(rules);
    line.replaceChildren(el("b", `${t(LINES[key].title)}.`), " ", t(`rules.with_${key}`, { squares: size * size }));
  }
}

await start(Promise.all([wordsReady, artReady, rulesReady]));
byId("players").append(...PLAYERS.map(playersChoice));
byId("switches").append(...Object.keys(SWITCHES).map(variantSwitch));
byId("nine").append(...Object.keys(RULES).map(rule));
byId("exact").append(...EXACTLY.map(exactly));
show();
