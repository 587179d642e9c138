/**
 * Elements in one line, and what scripts do with them everywhere.
 */

/**
 * A new element: `h("p.label", { id: "why" }, "words")`. Attributes may be left out; those that are `false` or
 * `null` are not set, `onclick` and its like listen. Texts among the children become text, never markup.
 * @param {string} kind its tag, and its classes behind dots
 * @param {...any} parts attributes, and children: nodes, texts, numbers; `null` and `false` are none
 * @returns {any}
 */
export function h(kind, ...parts) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...given(parts));
  return element;
}

/** Without those that are none. @param {any[]} parts */
const given = (parts) => parts.filter((part) => part != null && part !== false);

/** @param {string} id @returns {any} the element of the page with this id */
export const byId = (id) => document.getElementById(id);

/**
 * Gives an element other children; the focus stays on the one with the same `data-key`.
 * @param {Element} place
 * @param {...any} children
 */
export function refill(place, ...children) {
  const held = /** @type {any} */ (document.activeElement);
  const key = place.contains(held) && held.dataset.key;
  place.replaceChildren(...given(children));
  if (key) /** @type {any} */ (place.querySelector(`[data-key="${key}"]`))?.focus();
}

/** Fires an event that carries something. @param {EventTarget} teller @param {string} kind @param {any} [told] */
export const tell = (teller, kind, told) => teller.dispatchEvent(new CustomEvent(kind, { detail: told }));

/**
 * Listens for what a `tell` carries.
 * @param {EventTarget} teller
 * @param {string} kind
 * @param {(told: any) => void} then
 */
export const hear = (teller, kind, then) =>
  teller.addEventListener(kind, (event) => then(/** @type {CustomEvent} */ (event).detail));

/** The name of the game, the way home. */
export function wordmark() {
  return h("a.wordmark", { href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 26, height: 21 }),
    "Kingdomino");
}
