/**
 * Elements in one line. Imports nothing.
 */

/**
 * A new element. Attributes that are `false`, `null` or missing are left out, `onclick` and its like listen,
 * and texts among `children` become text, never markup.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | false | undefined)} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  const given = children.filter((child) => child != null && child !== false);
  element.append(.../** @type {(Node | string)[]} */ (given));
  return element;
}

/** The name of the game, the way home. */
export function wordmark() {
  const crown = h("img", { src: "/static/icon.svg", alt: "", width: 26, height: 21 });
  return h("a", { class: "wordmark", href: "/" }, crown, "Kingdomino");
}
