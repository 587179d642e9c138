/**
 * The rules that a table may have: switches and choices, each with one line that explains it, and what does
 * not go together, with the reason. For the home page and the page that lays a table.
 *
 * @typedef {{players: number, edition: string, mighty_duel: boolean, harmony: boolean,
 *   middle_kingdom: boolean, opening: string, dynasty: string | null, seconds: number | null}} Rules
 */
import { byId, h } from "./h.js";
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
/** @type {Record<string, any>} */
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

/** What was chosen the last time. @param {any} stored @returns {Rules} */
export function wishesFrom(stored) {
  const names = Object.keys(PLAIN).filter((name) => name in stored);
  return { ...PLAIN, ...Object.fromEntries(names.map((name) => [name, stored[name]])) };
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
    ...[...SWITCHES, "dynasty"].filter((name) => rules[name]).map((name) => t(`common.${name}`)),
    rules.edition === "first" && t("common.edition_first_long"),
    rules.opening === "snake" && t("common.opening_snake_long"),
    rules.seconds && t("common.seconds_long", { time: span(rules.seconds) }),
  ].filter(Boolean);
}

/** How a bot plays, in a line; nothing for one that the catalogue does not know. @param {string} spec */
export function botWhy(spec) {
  const key = `common.bot_${spec.replace(/\W/g, "_")}_why`;
  return has(key) ? t(key) : "";
}

/** @param {number | null} seconds */
function span(seconds) {
  if (seconds === null) return t("common.seconds_none");
  return seconds < 60 ? t("common.seconds", { n: seconds }) : t("common.minutes", { n: seconds / 60 });
}

/**
 * The controls for the rules, in the elements `players`, `options` and `pace` of the page; fires `change` when
 * somebody has changed something.
 */
export class Options extends EventTarget {
  /** @param {Rules} wishes */
  constructor(wishes) {
    super();
    this.wishes = wishes;
    this.draw();
  }

  /** Draws everything anew, in the language spoken now. */
  draw() {
    const select = h("select", {
      id: "seconds", "aria-describedby": "why-seconds",
      onchange: () => this.set("seconds", select.value ? Number(select.value) : null),
    }, ...SECONDS.map((seconds) => h("option", { value: seconds ?? "" }, span(seconds))));
    byId("players").replaceChildren(...this.radios("players", [2, 3, 4], (n) => n));
    byId("options").replaceChildren(
      h("fieldset.variants", h("legend", t("common.variants")), ...SWITCHES.map((name) => this.switch(name))),
      ...Object.entries(CHOICES).map(([name, values]) => this.choice(name, values)));
    byId("pace").replaceChildren(
      h("label.legend", { for: "seconds" }, t("common.time")), select, h("p.label", { id: "why-seconds" }));
    this.update();
  }

  /** @param {string} name */
  switch(name) {
    const input = h("input", {
      type: "checkbox", role: "switch", id: name, "aria-describedby": `why-${name}`,
      onchange: () => this.set(name, input.checked),
    });
    return h("label.opt", h("span", h("b", t(`common.${name}`)), h("small", { id: `why-${name}` })), input);
  }

  /** @param {string} name @param {(string | null)[]} values */
  choice(name, values) {
    const words = (/** @type {string | null} */ value) => t(`common.${name}_${value ?? "none"}`);
    return h("fieldset", { "aria-describedby": `why-${name}` }, h("legend", t(`common.${name}`)),
      h("div.seg", ...this.radios(name, values, words)), h("p.label", { id: `why-${name}` }));
  }

  /** @param {string} name @param {any[]} values @param {(value: any) => any} words what stands on each */
  radios(name, values, words) {
    return values.map((value) => h("label",
      h("input", { type: "radio", name, value: value ?? "", onchange: () => this.set(name, value) }),
      h("span", words(value))));
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this.wishes = { ...this.wishes, [name]: value };
    this.update();
    this.dispatchEvent(new Event("change"));
  }

  /** Shows the rules as they hold, and says why one cannot be had. */
  update() {
    const rules = /** @type {any} */ (settled(this.wishes));
    const many = rules.players !== 2;
    const explain = (/** @type {string} */ name, /** @type {string} */ why) => {
      byId(`why-${name}`).textContent = t(`common.${name}_${why}`);
    };
    for (const name of SWITCHES) {
      const input = byId(name);
      input.checked = rules[name];
      input.disabled = many && name in FOR_TWO;
      input.parentElement.classList.toggle("off", input.disabled);
      explain(name, input.disabled ? "needs_two" : "why");
    }
    for (const each of document.querySelectorAll("[type=radio]")) {
      const input = /** @type {HTMLInputElement} */ (each);
      input.checked = input.value === String(rules[input.name] ?? "");
      input.disabled = many && FOR_TWO[input.name] === input.value;
    }
    explain("dynasty", `${rules.dynasty ?? "none"}_why`);
    explain("edition", `${rules.edition}_${rules.players === 3 ? "three" : "tie"}_why`);
    explain("opening", many ? "needs_two" : `${rules.opening}_why`);
    explain("seconds", "why");
    byId("seconds").value = rules.seconds ?? "";
  }
}
