/**
 * The rules that a table can have: switches and choices, each with a line that explains it. For the home page and the
 * page that creates a table.
 */
import { byId, el, Emitter } from "../draw/dom.js";
import { hasWords, t } from "../i18n/locale.js";
import { post } from "../net/api.js";
import { loadSetting } from "../net/storage.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { NewTable } from "../net/types.js"
 * @typedef {Required<Omit<NewTable, "public" | "seats">>} Settings
 */

/** @type {Settings} */
export const DEFAULT_RULES = {
  players: 2, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false,
  opening: "random", dynasty: null, seconds: null,
};

const SWITCHES = /** @type {const} */ (["harmony", "middle_kingdom", "mighty_duel"]);
const CHOICES = /** @type {const} */ ({
  dynasty: [null, "total", "best"],
  edition: ["second", "first"],
  opening: ["random", "snake"],
});
const SECONDS = [null, 30, 60, 120, 300];
const PLAYERS = [2, 3, 4];
/** What only two players can have. @type {Partial<Settings>} */
const FOR_TWO = { mighty_duel: true, opening: "snake" };

/** The rules that hold: some need exactly two players. @param {Settings} settings @returns {Settings} */
export function effectiveRules(settings) {
  return settings.players === 2 ? settings : { ...settings, mighty_duel: false, opening: "random" };
}

/**
 * What was chosen the last time. Only this program writes it.
 * @param {string} name of the setting
 */
export function storedRules(name) {
  const stored = /** @type {(Partial<Settings> & {bot?: string}) | undefined} */ (loadSetting(name));
  const { bot, ...rules } = { ...DEFAULT_RULES, ...stored };
  return { bot, rules };
}

/** Dominoes, rounds, size and rough minutes of a game. @param {Settings} settings */
export function gameFacts(settings) {
  const { players, edition, mighty_duel, dynasty } = effectiveRules(settings);
  const short = players === 2 && !mighty_duel;
  const dominoes = short ? 24 : players === 3 && edition === "first" ? 36 : 48;
  const minutes = (short ? 5 : mighty_duel ? 10 : 3 * players) * (dynasty ? 3 : 1);
  return { players, dominoes, rounds: short ? 6 : 12, size: mighty_duel ? 7 : 5, minutes };
}

/**
 * `Two players, 24 of the 48 dominoes, 6 rounds, kingdoms of 5×5.`
 * @param {{players: number, dominoes: number, rounds: number, size: number}} facts
 */
export function rulesSummary({ players, dominoes, rounds, size }) {
  const which = t(dominoes === 48 ? "common.dominoes_all" : "common.dominoes_some", { n: dominoes });
  return t("common.summary", { players: t(`common.players_${players}`), dominoes: which, rounds, size });
}

/**
 * What differs from the default rules, each in a word or two.
 * @param {Pick<Settings, "edition" | "harmony" | "middle_kingdom" | "mighty_duel" | "opening">
 *   & Partial<Pick<Settings, "dynasty" | "seconds">>} rules
 */
export function variantNames(rules) {
  return [
    ...SWITCHES.filter((name) => rules[name]).map((name) => t(`common.${name}`)),
    rules.dynasty && t("common.dynasty"),
    rules.edition === "first" && t("common.edition_first_long"),
    rules.opening === "snake" && t("common.opening_snake_long"),
    rules.seconds && t("common.seconds_long", { time: timeText(rules.seconds) }),
  ].filter((name) => typeof name === "string");
}

/** How a bot plays, in a line; empty for a bot without words. @param {string} spec */
export function botDescription(spec) {
  const key = `common.bot_${spec.replace(/\W/g, "_")}_why`;
  return hasWords(key) ? t(key) : "";
}

/** @param {number | null} seconds */
function timeText(seconds) {
  if (seconds === null) return t("common.seconds_none");
  return seconds < 60 ? t("common.seconds", { n: seconds }) : t("common.minutes", { n: seconds / 60 });
}

/**
 * Creates a table for you and bots, and goes there.
 * @param {Settings} rules
 * @param {string} bot the spec string for all other seats
 * @param {string | null} name yours; may be empty
 */
export async function startGame(rules, bot, name) {
  const others = Array.from({ length: rules.players - 1 }, () => ({ kind: /** @type {const} */ ("bot"), bot }));
  const seats = [{ kind: /** @type {const} */ ("me"), name: name || t("common.guest") }, ...others];
  const { table } = await post("/api/tables", {}, { ...rules, seats });
  location.assign(`/t/${table.id}`);
}

/**
 * The controls for the rules, in the elements `players`, `options` and `pace` of the page. Fires `change`.
 * @extends {Emitter<{change: undefined}>}
 */
export class RulesForm extends Emitter {
  /** @param {Settings} settings */
  constructor(settings) {
    super();
    this.settings = settings;
    this.draw();
  }

  /** Draws all controls, in the current language. */
  draw() {
    /** @type {HTMLSelectElement} */
    const select = el("select", {
      id: "seconds", "aria-describedby": "why-seconds",
      onchange: () => this.#set({ seconds: select.value ? Number(select.value) : null }),
    }, ...SECONDS.map((seconds) => el("option", { value: seconds ?? "" }, timeText(seconds))));
    byId("players").replaceChildren(...PLAYERS.map((players) =>
      this.#radio("players", players, String(players), { players })));
    byId("options").replaceChildren(
      el("fieldset.variants", el("legend", t("common.variants")), ...SWITCHES.map((name) => this.#switch(name))),
      this.#choice("dynasty", CHOICES.dynasty.map((dynasty) => [dynasty, { dynasty }])),
      this.#choice("edition", CHOICES.edition.map((edition) => [edition, { edition }])),
      this.#choice("opening", CHOICES.opening.map((opening) => [opening, { opening }])));
    byId("pace").replaceChildren(
      el("label.legend", { for: "seconds" }, t("common.time")), select, el("p.label", { id: "why-seconds" }));
    this.#update();
  }

  /** @param {typeof SWITCHES[number]} name */
  #switch(name) {
    /** @type {HTMLInputElement} */
    const input = el("input", {
      type: "checkbox", role: "switch", id: name, "aria-describedby": `why-${name}`,
      onchange: () => this.#set({ [name]: input.checked }),
    });
    return el("label.opt", el("span", el("b", t(`common.${name}`)), el("small", { id: `why-${name}` })), input);
  }

  /** @param {keyof typeof CHOICES} name @param {[string | null, Partial<Settings>][]} values each with its change */
  #choice(name, values) {
    return el("fieldset", { "aria-describedby": `why-${name}` }, el("legend", t(`common.${name}`)),
      el("div.seg", ...values.map(([value, change]) =>
        this.#radio(name, value, t(`common.${name}_${value ?? "none"}`), change))),
      el("p.label", { id: `why-${name}` }));
  }

  /** @param {string} name @param {Child} value @param {string} words @param {Partial<Settings>} change */
  #radio(name, value, words, change) {
    return el("label",
      el("input", { type: "radio", name, value: String(value ?? ""), onchange: () => this.#set(change) }),
      el("span", words));
  }

  /** @param {Partial<Settings>} change */
  #set(change) {
    this.settings = { ...this.settings, ...change };
    this.#update();
    this.emit("change", undefined);
  }

  /** Shows the rules that hold, and why one is not available. */
  #update() {
    const rules = effectiveRules(this.settings);
    const many = rules.players !== 2;
    const explain = (/** @type {string} */ name, /** @type {string} */ why) => {
      byId(`why-${name}`).textContent = t(`common.${name}_${why}`);
    };
    for (const name of SWITCHES) {
      const input = byId(name, HTMLInputElement);
      input.checked = rules[name];
      input.disabled = many && name in FOR_TWO;
      input.parentElement?.classList.toggle("off", input.disabled);
      explain(name, input.disabled ? "needs_two" : "why");
    }
    for (const name of /** @type {const} */ (["players", "dynasty", "edition", "opening"])) {
      for (const input of document.querySelectorAll(`[type=radio][name=${name}]`)) {
        if (!(input instanceof HTMLInputElement)) continue;
        input.checked = input.value === String(rules[name] ?? "");
        input.disabled = many && FOR_TWO[name] === input.value;
      }
    }
    explain("dynasty", `${rules.dynasty ?? "none"}_why`);
    explain("edition", `${rules.edition}_${rules.players === 3 ? "three" : "tie"}_why`);
    explain("opening", many ? "needs_two" : `${rules.opening}_why`);
    explain("seconds", "why");
    byId("seconds", HTMLSelectElement).value = String(rules.seconds ?? "");
  }
}
