/**
 * Create and find elements; typed events.
 */
import { fileUrl, pathTo } from "../net/address.js";

/**
 * @typedef {Node | string | number | boolean | null | undefined} Child `null`, `undefined` and `false` are left out
 * @typedef {string | number | boolean | null | undefined} Value
 * @typedef {"alt" | "autocapitalize" | "autocomplete" | "checked" | "class" | "colspan" | "download" | "for" | "height" | "href"
 *   | "id" | "inert" | "lang" | "max" | "maxlength" | "min" | "name" | "placeholder" | "readonly" | "rel" | "role" | "scope"
 *   | "spellcheck" | "src" | "tabindex" | "target" | "title" | "type" | "value" | "width" | `aria-${string}`
 *   | `data-${string}`} Attribute
 * @typedef {GlobalEventHandlersEventMap} Events
 * @typedef {{[K in keyof Events as `on${K}`]?: (event: Events[K]) => unknown}} Listeners
 * @typedef {{[K in Attribute]?: Value} & Listeners} Attributes
 */
/**
 * The class of an element that `el` creates: `HTMLButtonElement` for "button.primary".
 * @template {string} K
 * @typedef {K extends `${infer T}.${string}` ? ElementOf<T>
 *   : K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement} ElementOf
 */

/**
 * Makes an element: `el("p.label", { id: "why" }, "words")`. Attributes are optional. `false` or
 * `null` is not set; a name with `on` is a listener. Text among the children is never markup.
 * @template {string} K
 * @param {K} kind the tag, and classes after dots
 * @param {Attributes | Child} [first] attributes, or the first child
 * @param {...Child} children
 * @returns {ElementOf<K>}
 */
export function el(kind, first, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  const hasAttributes = typeof first === "object" && first !== null && !(first instanceof Node);
  for (const [name, value] of Object.entries(hasAttributes ? first : {})) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(hasAttributes ? children : [first, ...children]));
  return /** @type {ElementOf<K>} */ (element);
}

/** Drops missing children. @param {unknown[]} children */
const present = (children) =>
  children.filter((child) => child != null && child !== false)
    .map((child) => (child instanceof Node ? child : new Text(String(child))));

/**
 * The first match. Throws if there is none, or if it is of another class.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found instanceof (kind ?? HTMLElement)) return /** @type {T} */ (found);
  throw new Error(`there is no ${selector}`);
}

/**
 * The element of the page with this id.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 */
export const byId = (id, kind) => find(document, `#${id}`, kind);

/**
 * Replaces the children; the focus stays on the one with the same `data-key`. Leaves present nodes alone, so that a
 * press on them is not lost, and screen readers do not read them again.
 * @param {Element} place
 * @param {...Child} children
 */
export function replaceContent(place, ...children) {
  const { activeElement } = document;
  const key = activeElement instanceof HTMLElement && place.contains(activeElement) && activeElement.dataset.key;
  const now = present(children);
  for (const old of [...place.childNodes]) if (!now.includes(old)) old.remove();
  now.forEach((child, at) => place.childNodes[at] === child || place.insertBefore(child, place.childNodes[at]));
  const next = key ? place.querySelector(`[data-key="${key}"]`) : null;
  if (next instanceof HTMLElement && next !== document.activeElement) next.focus();
}

/**
 * Replaces the children that differ, so that a press on one of the others is not lost. For links and text: a child that
 * stays keeps its listeners.
 * @param {Element} place
 * @param {...Child} children
 */
export function updateContent(place, ...children) {
  const old = [...place.childNodes];
  replaceContent(place, ...present(children).map((child) => {
    const at = old.findIndex((one) => one.isEqualNode(child));
    return at < 0 ? child : old.splice(at, 1)[0];
  }));
}

/**
 * Fires events of the kinds in `E`, each with its detail.
 * @template {object} E
 */
export class Emitter extends EventTarget {
  /** @template {keyof E & string} K @param {K} kind @param {E[K]} detail */
  emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** @template {keyof E & string} K @param {K} kind @param {(detail: E[K]) => void} listener */
  on(kind, listener) {
    this.addEventListener(kind, (event) => event instanceof CustomEvent && listener(event.detail));
  }
}

/** The number of announcements to keep. */
const ANNOUNCEMENTS = 4;

/** Announces words to screen readers. Keeps the last few, so that none is lost before it is read. @param {string} words */
export function announce(words) {
  if (!words) return;
  const announcer = byId("announcer");
  announcer.append(el("span", `${words} `));
  while (announcer.childElementCount > ANNOUNCEMENTS) announcer.firstElementChild?.remove();
}

/** Announces words instead of earlier ones, which are out of date. @param {string} words */
export function announceInstead(words) {
  byId("announcer").replaceChildren();
  announce(words);
}

/** Downloads a file that the page has made. @param {File} file */
export function saveFile(file) {
  const href = URL.createObjectURL(file);
  el("a", { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href));
}

/** The name of the game, a link to the home page. */
export const wordmark = () =>
  el("a.wordmark", { href: pathTo("/") }, el("img", { src: fileUrl("icon.svg"), alt: "", width: 26, height: 21 }), "Kingdomino");
