/**
 * The choice of rules for a table: switches and choices, each with a line of explanation. For the home page and the page
 * that creates a table.
 */
import { byId, el, Emitter } from "../draw/dom.js";
import { t, timeText } from "../i18n/locale.js";
import { rulesAddress, SWITCHES } from "../i18n/rules-text.js";
import { loadSetting } from "../net/storage.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { Settings } from "../i18n/rules-text.js"
 */

/** @type {Settings} */
export const DEFAULT_RULES = {
  players: 2, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false,
  opening: "random", dynasty: null,
};

const CHOICES = /** @type {const} */ ({
  dynasty: [null, "total", "best"],
  edition: ["second", "first"],
  opening: ["random", "snake"],
});
const SECONDS = [30, 120, 300, 86_400, null];
/** Seconds for a turn with players on other devices. The server has the same default. */
const WITH_FRIENDS = 120;
const PLAYERS = [2, 3, 4];
/** Options for two players only. @type {Partial<Settings>} */
const FOR_TWO = { mighty_duel: true, opening: "snake" };

/** Whether this option is possible with this number of players. @param {number} players @param {Partial<Settings>} choice */
export function canHave(players, choice) {
  const names = /** @type {(keyof Settings)[]} */ (Object.keys(FOR_TWO));
  return players === 2 || names.every((name) => choice[name] !== FOR_TWO[name]);
}

/**
 * The effective rules, because some need exactly two players.
 * @template {Pick<Settings, "players" | "mighty_duel" | "opening">} R
 * @param {R} settings
 * @returns {R}
 */
export function effectiveRules(settings) {
  return settings.players === 2 ? settings : { ...settings, mighty_duel: false, opening: "random" };
}

/**
 * The last choice. Only this program writes it.
 * @param {string} name of the setting
 */
export function storedRules(name) {
  const stored = /** @type {(Partial<Settings> & {bot?: string}) | undefined} */ (loadSetting(name));
  const { bot, ...rules } = { ...DEFAULT_RULES, ...stored };
  return { bot, rules };
}

/**
 * Kings a player, dominoes, rounds, size and rough minutes of a game.
 * @param {Pick<Settings, "players" | "edition" | "mighty_duel" | "opening"> & Partial<Pick<Settings, "dynasty">>} settings
 */
export function gameFacts(settings) {
  const { players, edition, mighty_duel, dynasty } = effectiveRules(settings);
  const short = players === 2 && !mighty_duel;
  const dominoes = short ? 24 : players === 3 && edition === "first" ? 36 : 48;
  const minutes = (short ? 5 : mighty_duel ? 10 : 3 * players) * (dynasty ? 3 : 1);
  return {
    players, kings: players === 2 ? 2 : 1, dominoes, rounds: short ? 6 : 12, size: mighty_duel ? 7 : 5, minutes,
  };
}

/**
 * The controls for the rules, in the elements `players`, `options` and `pace` of the page. Fires `change`.
 * @extends {Emitter<{change: undefined}>}
 */
export class RulesForm extends Emitter {
  #isWithFriends = false;
  #rulesLink = el("a.more-rules.label", { target: "_blank" });

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
    }, ...SECONDS.map((seconds) =>
      el("option", { value: seconds ?? "" }, seconds ? timeText(seconds) : t("common.seconds_none"))));
    byId("players").replaceChildren(...PLAYERS.map((players) =>
      this.#radio("players", players, String(players), { players })));
    byId("options").replaceChildren(
      el("fieldset.variants", el("legend", t("common.variants")), ...SWITCHES.map((name) => this.#switch(name)),
        this.#rulesLink),
      this.#choice("dynasty", CHOICES.dynasty.map((dynasty) => [dynasty, { dynasty }])),
      this.#choice("edition", CHOICES.edition.map((edition) => [edition, { edition }])),
      this.#choice("opening", CHOICES.opening.map((opening) => [opening, { opening }])));
    byId("pace").replaceChildren(
      el("label.legend", { for: "seconds" }, t("common.time")), select, el("p.label", { id: "why-seconds" }));
    this.#update();
  }

  /** Whether players on other devices take part: then a turn has a limit by default. */
  set isWithFriends(/** @type {boolean} */ is) {
    this.#isWithFriends = is;
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

  /** Shows the effective rules, and why an option is not available. */
  #update() {
    const rules = effectiveRules(this.settings);
    const many = rules.players !== 2;
    const explain = (/** @type {string} */ name, /** @type {string} */ why) => {
      byId(`why-${name}`).textContent = t(`common.${name}_${why}`);
    };
    for (const name of SWITCHES) {
      const input = byId(name, HTMLInputElement);
      input.checked = rules[name];
      input.disabled = !canHave(rules.players, { [name]: true });
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
    const { seconds = this.#isWithFriends ? WITH_FRIENDS : null } = rules;
    byId("seconds", HTMLSelectElement).value = String(seconds ?? "");
    this.#rulesLink.textContent = t("common.rules_page");
    this.#rulesLink.href = rulesAddress(rules);
  }
}
