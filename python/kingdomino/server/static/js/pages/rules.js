/**
 * The choice of rules for a table: switches and choices, each with a line of explanation. For the home page and the page
 * that creates a table.
 */
import { byId, el, Emitter } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { rulesAddress, SWITCHES } from "../i18n/rules-text.js";
import { loadSetting } from "../net/storage.js";
import { canHave, DEFAULT_RULES, possible, rulesSet } from "./rules-sets.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { Settings } from "../i18n/rules-text.js"
 */

const CHOICES = /** @type {const} */ ({
  dynasty: [null, "total", "best"],
  edition: ["second", "first"],
  opening: ["random", "snake"],
});
const PLAYERS = [2, 3, 4];
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
 * The controls for the rules, in the elements `players` and `options` of the page. Fires `change`.
 * @extends {Emitter<{change: undefined}>}
 */
export class RulesForm extends Emitter {
  #rulesLink = el("a.more-rules.label", { target: "_blank" });

  /** @param {Settings} settings */
  constructor(settings) {
    super();
    this.settings = settings;
    this.draw();
  }

  /** Draws all controls, in the current language. */
  draw() {
    byId("players").replaceChildren(...PLAYERS.map((players) =>
      this.#radio("players", players, String(players), { players })));
    byId("options").replaceChildren(
      el("fieldset.variants", el("legend", t("common.variants")), ...SWITCHES.map((name) => this.#switch(name)),
        this.#rulesLink),
      this.#choice("dynasty", CHOICES.dynasty.map((dynasty) => [dynasty, { dynasty }])),
      this.#choice("edition", CHOICES.edition.map((edition) => [edition, { edition }])),
      this.#choice("opening", CHOICES.opening.map((opening) => [opening, { opening }])));
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
    const rules = possible(this.settings);
    const cannot = (/** @type {Partial<Settings>} */ choice) => !canHave(rules.players, choice);
    const explain = (/** @type {string} */ name, /** @type {string} */ why) => {
      byId(`why-${name}`).textContent = t(`common.${name}_${why}`);
    };
    for (const name of SWITCHES) {
      const input = byId(name, HTMLInputElement);
      input.checked = rules[name];
      input.disabled = cannot({ [name]: true });
      input.parentElement?.classList.toggle("off", input.disabled);
      explain(name, input.disabled ? "needs_two" : "why");
    }
    for (const name of /** @type {const} */ (["players", "dynasty", "edition", "opening"])) {
      for (const input of document.querySelectorAll(`[type=radio][name=${name}]`)) {
        if (!(input instanceof HTMLInputElement)) continue;
        input.checked = input.value === String(rules[name] ?? "");
        input.disabled = name !== "players" && cannot({ [name]: input.value });
      }
    }
    explain("dynasty", `${rules.dynasty ?? "none"}_why`);
    const [first, second] = CHOICES.edition.map((edition) => rulesSet({ ...rules, edition }).dominoes);
    explain("edition", `${rules.edition}_${first === second ? "tie" : "three"}_why`);
    explain("opening", cannot({ opening: "snake" }) ? "needs_two" : `${rules.opening}_why`);
    this.#rulesLink.textContent = t("common.rules_page");
    this.#rulesLink.href = rulesAddress(rules);
  }
}
