/**
 * Rows of settings: a choice of a few, and a switch.
 */
import { el } from "./dom.js";

/**
 * A choice of a few.
 * @template {string | number} V
 * @param {string} name
 * @param {[V, string][]} values with their words
 * @param {V} now
 * @param {(value: V) => void} choose
 */
export const choice = (name, values, now, choose) => el("div.seg.many", ...values.map(([value, words]) => el("label",
  el("input", { type: "radio", name, value, checked: value === now, "data-key": `${name}${value}`, onchange: () => choose(value) }),
  el("span", words))));

/** A control with its words. @param {string} words @param {HTMLElement} control @param {string} [why] */
export const group = (words, control, why = "") => el("fieldset.opt", el("legend.visually-hidden", words),
  el("span", { "aria-hidden": "true" }, el("b", words), why && el("small", why)), control);

/** A switch. @param {string} name @param {string} words @param {boolean} isOn @param {(isOn: boolean) => void} choose @param {string} [why] */
export const toggle = (name, words, isOn, choose, why = "") => el("label.opt", el("span", el("b", words), why && el("small", why)),
  el("input", {
    type: "checkbox", role: "switch", checked: isOn, "data-key": name,
    onchange: ({ target }) => choose(/** @type {HTMLInputElement} */ (target).checked),
  }));
