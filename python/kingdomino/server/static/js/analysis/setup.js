/**
 * Setting up a position by tapping squares, lines, kings and dominoes. The engine says what is wrong with it.
 */
import { dominoName, dominoSvg, icon, king, mostCrowns, terrainWord } from "../draw/art.js";
import { choice, group, toggle } from "../draw/controls.js";
import { el, Emitter, find, replaceContent } from "../draw/dom.js";
import { clearFaultMarks, markFault } from "../draw/fault-marks.js";
import { KingdomMap } from "../draw/kingdom-map.js";
import { Painter, seenFrom, TERRAINS } from "../draw/painter.js";
import { engine } from "../engine/study.js";
import { t } from "../i18n/locale.js";
import { canHave, possible, rulesSet } from "../pages/rules-sets.js";
import { landOf, linesOf } from "./study.js";
import { faultText } from "./text.js";

/**
 * @import { Checked, Fault, Position, LineEntry, SetUp, SetUpSquare } from "../../engine/calls.js"
 * @import { Kingdom } from "../draw/kingdom.js"
 * @import { Studied } from "./study.js"
 * @import { NameOf } from "./text.js"
 * @typedef {Pick<Position["rules"], "players" | "mighty_duel" | "harmony" | "middle_kingdom">
 *   & {edition: "first" | "second", opening: "random" | "snake"}} DraftRules
 * @typedef {Omit<SetUp, "rules"> & DraftRules} Draft
 * @typedef {"line" | "next_line" | "placed"} Target where a tapped domino goes
 */

const ALL = Array.from({ length: 48 }, (_, at) => at + 1);
const LINES = { line: ".line.this ol", next_line: ".line.coming ol" };

/** @returns {Draft} */
export const emptyDraft = () => ({
  players: 2, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false, opening: "random",
  round: 1, finished: 0, settled: false, seat: 0, line: [], next_line: [], unseen: ALL, kingdoms: [[], []],
});

/** The set-up of a position. @param {Studied} studied @returns {Draft} */
export function draftOf(studied) {
  const { rules, round, turn, phase, to_move, unseen, kingdoms } = studied;
  const { players, edition, mighty_duel, harmony, middle_kingdom, opening } = rules;
  const kings = (/** @type {LineEntry[]} */ line) => line.map(({ domino: number, seat }) => ({ domino: number, seat }));
  const [line, next_line] = linesOf(studied).map(kings);
  return {
    players, edition: edition === "first" ? "first" : "second", mighty_duel, harmony, middle_kingdom,
    opening: opening === "snake" ? "snake" : "random", round, finished: round ? turn : 0, settled: phase === "claim" && round > 0,
    seat: to_move ?? 0, line, next_line, unseen, kingdoms: kingdoms.map(landOf).map((land) => /** @type {SetUpSquare[]} */ (land)),
  };
}

/** A draft for the address, even an impossible one. @param {Draft} draft */
export const textOfDraft = (draft) => btoa(JSON.stringify(draft));

/** @param {unknown} value @param {number} least @param {number} most */
const isWhole = (value, least, most) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/**
 * Whether the page can draw the draft. Anyone can write the address it comes from, so check all of it. The page draws
 * drafts that break the rules, too; the engine says why.
 * @param {Draft} draft
 */
function isDraft({ players, edition, opening, round, finished, seat, line, next_line, unseen, kingdoms, ...flags }) {
  /** @param {Draft["line"][number]} entry */
  const isEntry = ({ domino: number, seat: whose }) =>
    isWhole(number, 1, 48) && (whose == null || isWhole(whose, 0, players - 1));
  /** @param {SetUpSquare} square */
  const isSquare = ({ x, y, terrain, crowns }) =>
    TERRAINS.some((one) => one === terrain) && isWhole(crowns, 0, 3) && isWhole(x, -12, 12) && isWhole(y, -12, 12);
  return isWhole(players, 2, 4) && ["first", "second"].includes(edition) && ["random", "snake"].includes(opening)
    && isWhole(round, 0, 12) && isWhole(finished, 0, 8) && isWhole(seat, 0, players - 1)
    && [flags.mighty_duel, flags.harmony, flags.middle_kingdom, flags.settled].every((flag) => typeof flag === "boolean")
    && [...line, ...next_line].every(isEntry) && unseen.every((number) => isWhole(number, 1, 48))
    && kingdoms.length === players && kingdoms.every((squares) => squares.every(isSquare));
}

/** Reads a draft from the address; null if it is malformed. @param {string} text @returns {Draft | null} */
export function draftFromText(text) {
  try {
    const read = JSON.parse(atob(text));
    const draft = { ...emptyDraft(), ...read };
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

/** @extends {Emitter<{changed: undefined, checked: Checked["position"], failed: unknown, read: string}>} */
export class SetUpBoard extends Emitter {
  draft = emptyDraft();
  /** Whose kingdom is large. */
  seat = 0;
  /** @type {Target} */
  #target = "line";
  /** @type {Fault[]} */
  #faults = [];
  #asked = 0;
  #isTouched = false;
  #listening = new AbortController();
  #faultList = el("section.sheet.faults", { role: "status" });
  #rest = el("section.sheet.rest");

  /** @param {HTMLElement} root @param {Kingdom} kingdom @param {NameOf} nameOf */
  constructor(root, kingdom, nameOf) {
    super();
    this.root = root;
    this.kingdom = kingdom;
    this.nameOf = nameOf;
    this.caption = find(root, ".caption");
    this.painter = new Painter(kingdom, find(root, ".palette"), () => this.draft.kingdoms[this.seat]);
    this.painter.on("choose", () => this.#hint());
    this.painter.on("paint", (squares) => this.#cover(squares));
    this.painter.on("castle", (to) => this.#cover(seenFrom(this.draft.kingdoms[this.seat], to)));
  }

  /** @param {Draft} draft @param {boolean} isTouched whether it was set up by hand */
  start(draft, isTouched) {
    this.stop();
    this.draft = structuredClone(draft);
    this.#fit();
    this.#listening = new AbortController();
    this.kingdom.addEventListener("drawn", () => this.#mark(), { signal: this.#listening.signal });
    this.painter.start();
    find(this.root, ".right").replaceChildren(this.#faultList, this.#rest);
    this.#isTouched = isTouched;
    this.#check();
  }

  stop() {
    this.#listening.abort();
    this.painter.stop();
    this.#asked += 1;
    clearFaultMarks(this.kingdom);
  }

  /** The rules of the draft, with their facts. */
  get facts() {
    return rulesSet(this.draft);
  }

  /** Corrects a round or seat that the number of players does not allow. */
  #fit() {
    const { draft } = this;
    Object.assign(draft, possible(draft));
    draft.round = Math.min(draft.round, this.facts.rounds);
    draft.seat = Math.min(draft.seat, draft.players - 1);
    this.seat = Math.min(this.seat, draft.players - 1);
  }

  /** Makes another kingdom large. @param {number} seat */
  look(seat) {
    this.seat = seat;
    this.#check();
  }

  /** Draws and checks the draft after a change by hand. */
  changed() {
    this.#isTouched = true;
    return this.#check();
  }

  /** Draws and checks the draft. Shows faults only after the first change by hand. */
  async #check() {
    this.#draw();
    this.emit("changed", undefined);
    const asked = (this.#asked += 1);
    const { players, edition, mighty_duel, harmony, middle_kingdom, opening, ...setup } = this.draft;
    const rules = this.facts.text;
    try {
      const { position, faults } = await engine.ask("check_setup", { setup: { rules, ...setup } });
      if (asked !== this.#asked) return;
      this.#faults = this.#isTouched ? faults : [];
      this.#showFaults();
      this.emit("checked", position);
    } catch (error) {
      if (asked === this.#asked) this.emit("failed", error);
    }
  }

  // Squares

  #hint() {
    const { terrain, hasCastle } = this.painter;
    this.caption.textContent = hasCastle ? t("kingdom.put_castle")
      : terrain ? t("analysis.tap", { terrain: terrainWord(terrain), n: mostCrowns(terrain) }) : t("analysis.tap_empty");
  }

  /** @param {SetUpSquare[]} squares */
  #cover(squares) {
    this.draft.kingdoms[this.seat] = squares;
    this.changed();
  }

  // Lines and dominoes

  /** A tap on a domino of a line: the next seat's king, then none, then the domino becomes unseen. */
  #tapLine(/** @type {"line" | "next_line"} */ name, /** @type {number} */ number) {
    const { draft } = this;
    const entry = draft[name].find((each) => each.domino === number);
    if (!entry) return;
    const seat = entry.seat ?? -1;
    if (seat + 1 < draft.players) {
      entry.seat = seat + 1;
      this.changed();
      return;
    }
    const at = draft[name].indexOf(entry);
    draft[name] = draft[name].filter((each) => each !== entry);
    draft.unseen = [...draft.unseen, number].sort((one, other) => one - other);
    this.changed();
    const left = this.root.querySelectorAll(`${LINES[name]} button`);
    const next = left[Math.min(at, left.length - 1)] ?? find(this.root, "h1");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** A tap on a domino below: it goes into a line or a kingdom, or back. @param {number} number */
  #tapDomino(number) {
    const { draft } = this;
    const longest = this.facts.line;
    if (draft.unseen.includes(number)) {
      if (this.#target !== "placed" && draft[this.#target].length >= longest) {
        this.caption.textContent = t("analysis.line_full", { n: longest });
        return;
      }
      draft.unseen = draft.unseen.filter((each) => each !== number);
      if (this.#target !== "placed") {
        draft[this.#target] = [...draft[this.#target], { domino: number, seat: null }]
          .sort((one, other) => one.domino - other.domino);
      }
    } else {
      for (const name of /** @type {const} */ (["line", "next_line"])) {
        draft[name] = draft[name].filter((each) => each.domino !== number);
      }
      draft.unseen = [...draft.unseen, number].sort((one, other) => one - other);
    }
    this.changed();
  }

  #draw() {
    const { draft, kingdom, seat, root } = this;
    while (draft.kingdoms.length < draft.players) draft.kingdoms.push([]);
    draft.kingdoms.length = draft.players;
    kingdom.show({
      size: this.facts.size, dominoes: [], squares: draft.kingdoms[seat], seat, frame: "reach",
      label: this.nameOf(seat), plain: false,
    });
    for (const name of /** @type {const} */ (["line", "next_line"])) {
      replaceContent(find(root, LINES[name]), ...draft[name].map(({ domino: number, seat: whose }) => {
        const words = whose == null ? t("analysis.no_king") : t("table.king_of", { name: this.nameOf(whose) });
        return el("li", { "data-domino": number },
          el("span.no", { "aria-hidden": "true" }, number),
          el("button.face.domino", {
            type: "button", "data-key": `${name}${number}`, "aria-label": `${dominoName(number)}. ${words}`,
            onclick: () => this.#tapLine(name, number),
          }, dominoSvg(number)),
          whose != null && king(whose));
      }));
    }
    const strip = find(root, ".unseen");
    strip.children[0].replaceChildren(icon("open"), el("b", t("analysis.unseen", { n: draft.unseen.length })),
      el("span.label", t("analysis.unseen_how")));
    replaceContent(find(strip, "ol"), ...ALL.map((number) => {
      const isUnseen = draft.unseen.includes(number);
      return el(isUnseen ? "li" : "li.seen", { "data-domino": number }, el("button", {
        type: "button", "data-key": `d${number}`, "aria-label": dominoName(number), "aria-pressed": String(isUnseen),
        onclick: () => this.#tapDomino(number),
      }, el("span", { "aria-hidden": "true" }, number), el("div.domino", dominoSvg(number))));
    }));
    this.#drawRest();
  }

  #drawRest() {
    const { draft } = this;
    /** @template {string | number} V @param {string} name @param {[V, string][]} values @param {V} now @param {(value: V) => void} choose */
    const radios = (name, values, now, choose) => choice(name, values, now, (value) => { choose(value); this.changed(); });
    const flag = (/** @type {"harmony" | "middle_kingdom" | "mighty_duel" | "settled"} */ name, /** @type {string} */ key, why = "") =>
      toggle(name, t(key), draft[name], (isOn) => { draft[name] = isOn; this.#fit(); this.changed(); }, why);
    const round = el("select", {
      "aria-label": t("analysis.round"), "data-key": "round",
      onchange: (event) => { draft.round = Number(/** @type {HTMLSelectElement} */ (event.target).value); this.changed(); },
    });
    for (let n = 0; n <= this.facts.rounds; n += 1) round.append(new Option(n ? String(n) : t("common.opening_now"), String(n), false, n === draft.round));
    /** @type {[number, string][]} */
    const turns = draft.round === 0
      ? draft.kingdoms.map((_, seat) => [seat, this.nameOf(seat)])
      : draft.line.map(({ domino: number, seat }, at) => [at, seat == null ? String(number) : `${this.nameOf(seat)} ${number}`]);
    const textField = el("textarea", { "aria-label": t("analysis.text"), spellcheck: "false", placeholder: "kd1 …" });
    const kept = this.#rest.querySelector("textarea");
    if (kept) textField.value = kept.value;
    replaceContent(this.#rest,
      group(t("analysis.put"), radios("target", /** @type {[Target, string][]} */ ([["line", t("table.this_line")], ["next_line", t("table.next_line")], ["placed", t("analysis.in_kingdom")]]),
        this.#target, (value) => { this.#target = value; })),
      group(t("common.players_head"), radios("players", [[2, "2"], [3, "3"], [4, "4"]], draft.players, (value) => {
        draft.players = value;
        this.#fit();
      })),
      el("div.opt", el("b", { "aria-hidden": "true" }, t("analysis.round")), round),
      turns.length > 0 && group(t("analysis.turn"), radios("turn", turns, draft.round ? draft.finished : draft.seat, (value) => {
        if (draft.round) draft.finished = value;
        else draft.seat = value;
      })),
      draft.round > 0 && flag("settled", "analysis.settled"),
      flag("harmony", "common.harmony", t("common.harmony_why")),
      flag("middle_kingdom", "common.middle_kingdom", t("common.middle_kingdom_why")),
      canHave(draft.players, { mighty_duel: true }) && flag("mighty_duel", "common.mighty_duel", t("common.mighty_duel_why")),
      el("div.opt", el("b", { "aria-hidden": "true" }, t("analysis.text")), textField,
        el("button.button", { type: "button", "data-key": "read", onclick: () => this.emit("read", textField.value) }, t("analysis.read"))));
  }

  // Faults

  #showFaults() {
    const place = (/** @type {number} */ seat, /** @type {[number, number]} */ [x, y]) => {
      const { left, top } = new KingdomMap([], this.draft.kingdoms[seat] ?? []).frame("reach", this.facts.size);
      const square = this.draft.kingdoms[seat]?.find((each) => each.x === x && each.y === y);
      return { column: x - left + 1, row: top - y + 1, what: square ? terrainWord(square.terrain) : "" };
    };
    const items = this.#faults.map((fault) => {
      const shows = fault.square || fault.dominoes?.length;
      return el("li", faultText(fault, this.nameOf, place), " ",
        Boolean(shows) && el("button.link", { type: "button", onclick: () => this.#point(fault) }, t("analysis.show_it")));
    });
    this.#faultList.hidden = items.length === 0;
    replaceContent(this.#faultList, el("h2", t("analysis.faults", { n: items.length })), el("ol", ...items));
    this.#mark();
  }

  /** Puts the numbers of the faults on the squares and dominoes. */
  #mark() {
    clearFaultMarks(this.kingdom);
    const numbers = new Set(this.#faults.flatMap(({ dominoes }) => dominoes ?? []));
    for (const item of this.root.querySelectorAll("[data-domino]")) {
      item.classList.toggle("faulty", item instanceof HTMLElement && numbers.has(Number(item.dataset.domino)));
    }
    for (const [at, { seat, square }] of this.#faults.entries()) {
      if (seat === this.seat && square) markFault(this.kingdom, square, at + 1);
    }
  }

  /** Shows where a fault is. @param {Fault} fault */
  #point({ seat, square, dominoes }) {
    if (square && seat != null) {
      this.seat = seat;
      this.emit("checked", null);
      this.changed();
      requestAnimationFrame(() => {
        const cell = this.kingdom.querySelector(`[data-x="${square[0]}"][data-y="${square[1]}"][role=gridcell]`);
        if (cell instanceof HTMLElement) cell.focus();
      });
      return;
    }
    const button = this.root.querySelector(`.line [data-domino="${dominoes?.[0]}"] button`);
    if (button instanceof HTMLElement) button.focus();
  }
}
