/**
 * The rules that a table may have: switches and choices, each with one line that explains it, and what does
 * not go together, with the reason. For the home page and the page that lays a table.
 * Imports words.js and h.js.
 *
 * @typedef {{players: number, edition: string, mighty_duel: boolean, harmony: boolean,
 *   middle_kingdom: boolean, opening: string, dynasty: string | null, seconds: number | null}} Rules
 */
import { h } from "./h.js";
import { has, t } from "./words.js";

/** @type {Rules} */
export const PLAIN = {
  players: 2, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false,
  opening: "random", dynasty: null, seconds: null,
};

const SWITCHES = ["harmony", "middle_kingdom", "mighty_duel"];
const CHOICES = {
  dynasty: [null, "total", "best"],
  edition: ["second", "first"],
  opening: ["random", "snake"],
};
const SECONDS = [null, 30, 60, 120, 300];
const FOR_TWO = { mighty_duel: true, opening: "snake" };

/**
 * The rules as they hold: a wish that needs two players waits while there are more.
 * @param {Rules} wishes
 * @returns {Rules}
 */
export function settled(wishes) {
  const held = wishes.players === 2 ? {} : { mighty_duel: false, opening: "random" };
  return { ...wishes, ...held };
}

/**
 * What was chosen the last time, as far as it can be had now.
 * @param {any} stored
 * @returns {Rules}
 */
export function wishesFrom(stored) {
  const kept = Object.keys(PLAIN).filter((name) => name in stored).map((name) => [name, stored[name]]);
  const wishes = { ...PLAIN, ...Object.fromEntries(kept) };
  return [2, 3, 4].includes(wishes.players) ? wishes : { ...PLAIN };
}

/** Dominoes, rounds, size and rough minutes of a game by these rules. @param {Rules} wishes */
export function extent(wishes) {
  const { players, edition, mighty_duel, dynasty } = settled(wishes);
  const short = players === 2 && !mighty_duel;
  const dominoes = short ? 24 : players === 3 && edition === "first" ? 36 : 48;
  const minutes = (short ? 5 : mighty_duel ? 10 : 3 * players) * (dynasty ? 3 : 1);
  return { dominoes, rounds: short ? 6 : 12, size: mighty_duel ? 7 : 5, minutes };
}

/** `Two players, 24 of the 48 dominoes, 6 rounds, kingdoms of 5×5.` @param {Rules} wishes */
export function summary(wishes) {
  const { dominoes, rounds, size } = extent(wishes);
  const which = dominoes === 48 ? "common.dominoes_all" : "common.dominoes_some";
  const players = t(`common.players_${wishes.players}`);
  return t("common.summary", { players, dominoes: t(which, { n: dominoes }), rounds, size });
}

/** What differs from the plain game, each in a word or two. @param {any} rules wishes, or a table's rules */
export function variants(rules) {
  return [
    ...SWITCHES.filter((name) => rules[name]).map((name) => t(`common.${name}`)),
    ...(rules.dynasty ? [t("common.dynasty")] : []),
    ...(rules.edition === "first" ? [t("common.edition_first_long")] : []),
    ...(rules.opening === "snake" ? [t("common.opening_snake_long")] : []),
    ...(rules.seconds ? [t("common.seconds_long", { time: span(rules.seconds) })] : []),
  ];
}

/** How a bot plays, in a line; nothing for one that the catalogue does not know. @param {string} spec */
export function botWhy(spec) {
  const key = `common.bot_${spec.split(":")[0]}_why`;
  return has(key) ? t(key) : "";
}

/** @param {number | null} seconds */
function span(seconds) {
  if (seconds === null) return t("common.seconds_none");
  return seconds < 60 ? t("common.seconds", { n: seconds }) : t("common.minutes", { n: seconds / 60 });
}

/** The controls for the rules; fires `change` when somebody has changed something. */
export class Options extends EventTarget {
  /**
   * @param {HTMLElement} element holds the rules
   * @param {HTMLElement} pace holds the time for a turn
   * @param {Rules} wishes
   */
  constructor(element, pace, wishes) {
    super();
    this.element = element;
    this.pace = pace;
    this.wishes = wishes;
    this.draw();
  }

  /** Draws everything anew, in the language spoken now. */
  draw() {
    const switches = SWITCHES.map((name) => this.switch(name));
    this.element.replaceChildren(
      h("fieldset", { class: "variants" }, h("legend", {}, t("common.variants")), ...switches),
      ...Object.entries(CHOICES).map(([name, values]) => this.choice(name, values)),
    );
    this.pace.replaceChildren(...this.time());
    this.update();
  }

  /** Lets somebody choose two, three or four players. @param {HTMLElement} place */
  drawPlayers(place) {
    place.replaceChildren(...[2, 3, 4].map((n) => {
      const checked = this.wishes.players === n;
      const onchange = () => this.set("players", n);
      const input = h("input", { type: "radio", name: "players", value: n, checked, onchange });
      return h("label", {}, input, h("span", {}, n));
    }));
  }

  /** @param {string} name */
  switch(name) {
    const input = h("input", {
      type: "checkbox", role: "switch", name, "aria-describedby": `why-${name}`,
      onchange: () => this.set(name, input.checked),
    });
    const words = h("span", {}, h("b", {}, t(`common.${name}`)), h("small", { id: `why-${name}` }));
    return h("label", { class: "opt" }, words, input);
  }

  /** @param {string} name @param {(string | null)[]} values */
  choice(name, values) {
    const option = (/** @type {string | null} */ value) => h("label", {},
      h("input", { type: "radio", name, value: value ?? "", onchange: () => this.set(name, value) }),
      h("span", {}, t(`common.${name}_${value ?? "none"}`)));
    return h("fieldset", { "aria-describedby": `why-${name}` }, h("legend", {}, t(`common.${name}`)),
      h("div", { class: "seg" }, ...values.map(option)), h("p", { class: "label", id: `why-${name}` }));
  }

  time() {
    const select = h("select", {
      id: "seconds", name: "seconds", "aria-describedby": "why-seconds",
      onchange: () => this.set("seconds", select.value ? Number(select.value) : null),
    }, ...SECONDS.map((seconds) => h("option", { value: seconds ?? "" }, span(seconds))));
    const label = h("label", { class: "legend", for: "seconds" }, t("common.time"));
    return [label, select, h("p", { class: "label", id: "why-seconds" })];
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this.wishes = { ...this.wishes, [name]: value };
    this.update();
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string} selector @returns {any} */
  find(selector) {
    return this.element.querySelector(selector) ?? this.pace.querySelector(selector);
  }

  /** Shows the rules as they hold, and says why one cannot be had. */
  update() {
    const rules = /** @type {any} */ (settled(this.wishes));
    const many = rules.players !== 2;
    const explain = (/** @type {string} */ name, /** @type {string} */ key) => {
      this.find(`#why-${name}`).textContent = t(key);
    };
    for (const name of SWITCHES) {
      const input = this.find(`[name=${name}]`);
      input.checked = rules[name];
      input.disabled = many && name in FOR_TWO;
      input.closest("label")?.classList.toggle("off", input.disabled);
      explain(name, input.disabled ? `common.${name}_needs_two` : `common.${name}_why`);
    }
    for (const name of Object.keys(CHOICES)) {
      for (const each of this.element.querySelectorAll(`[name=${name}]`)) {
        const input = /** @type {HTMLInputElement} */ (each);
        input.checked = input.value === (rules[name] ?? "");
        input.disabled = many && /** @type {any} */ (FOR_TWO)[name] === input.value;
      }
    }
    explain("dynasty", `common.dynasty_${rules.dynasty ?? "none"}_why`);
    explain("edition", `common.edition_${rules.edition}_${rules.players === 3 ? "three" : "tie"}_why`);
    explain("opening", many ? "common.opening_needs_two" : `common.opening_${rules.opening}_why`);
    explain("seconds", "common.seconds_why");
    this.find("#seconds").value = rules.seconds ?? "";
  }
}
