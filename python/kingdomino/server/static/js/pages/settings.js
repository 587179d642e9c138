/**
 * The settings sheet: a dialog that any page can open.
 */
import { el, find, replaceContent } from "../draw/dom.js";
import { hasShortcuts, setShortcuts } from "../draw/keys.js";
import { fillLanguageSelect, t } from "../i18n/locale.js";
import { HAS_SERVER } from "../net/address.js";
import { choose, chooseLanguage, settings } from "../net/settings.js";
import { canNotify, doesNotify, setNotify } from "../table/attention.js";
import { playKnock } from "../table/sound.js";
import { isMuted, setMuted } from "../table/talk.js";

/** @import { Settings } from "../net/types.js" */

const CHOICES = /** @type {const} */ ({
  theme: [null, "light", "dark"],
  pace: ["calm", "brisk", "none"],
  warning: [null, 3, 6],
});

/** @type {HTMLDialogElement} */
const dialog = el("dialog.sheet.settings", { "aria-labelledby": "settings-head" });
document.body.append(dialog);
/** Whether the last press began outside the sheet. */
let isPressedAround = false;
document.addEventListener("language", draw);
dialog.addEventListener("pointerdown", (event) => { isPressedAround = isAround(event); });
dialog.addEventListener("click", (event) => { if (isPressedAround && isAround(event)) dialog.close(); });

export function openSettings() {
  draw();
  dialog.showModal();
}

/**
 * Whether a press is outside the sheet. The target is the dialog also for gaps within the sheet.
 * @param {MouseEvent} event
 */
function isAround({ target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (x < left || x > right || y < top || y > bottom);
}

function draw() {
  const language = el("select", { id: "settings-language", "data-key": "language" });
  fillLanguageSelect(language, chooseLanguage);
  replaceContent(dialog,
    el("div.who", el("h2", { id: "settings-head" }, t("settings.headline")),
      el("button.button.bare.icon.close",
        { type: "button", "aria-label": t("table.close"), onclick: () => dialog.close() },
        el("span", { "aria-hidden": "true" }, "✕"))),
    choice("theme", settings().theme),
    choice("pace", settings().pace ?? (matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "calm")),
    choice("warning", settings().warning),
    option("sound", settings().sound ?? false, ({ checked }) => {
      choose({ sound: checked });
      playKnock();
    }),
    notifyOption(),
    option("muted", isMuted(), ({ checked }) => setMuted(checked)),
    option("shortcuts", hasShortcuts(), ({ checked }) => setShortcuts(checked)),
    el("div", el("label.legend", { for: "settings-language" }, t("settings.language")), language),
    HAS_SERVER && el("p.label", t("settings.kept")));
}

/**
 * A switch with a line of explanation.
 * @param {string} name
 * @param {boolean} checked
 * @param {(input: HTMLInputElement) => unknown} change
 */
function option(name, checked, change) {
  /** @type {HTMLInputElement} */
  const input = el("input", {
    type: "checkbox", role: "switch", "data-key": name, checked, "aria-describedby": `why-${name}`,
    onchange: () => change(input),
  });
  return el("label.opt",
    el("span", el("b", t(`settings.${name}`)), el("small", { id: `why-${name}` }, t(`settings.${name}_why`))), input);
}

/** The browser asks for permission when a person switches this on. It applies only to this device. */
function notifyOption() {
  const made = option("notify", doesNotify(), async (input) => {
    const isWished = input.checked;
    input.checked = await setNotify(isWished);
    why.textContent = t(isWished && !input.checked ? "settings.notify_denied" : "settings.notify_why");
  });
  const why = find(made, "small");
  if (!canNotify()) why.textContent = t("settings.notify_insecure");
  find(made, "input", HTMLInputElement).disabled = !canNotify();
  return made;
}

/** @template {keyof typeof CHOICES} K @param {K} name @param {Settings[K]} chosen */
function choice(name, chosen) {
  return el("fieldset", el("legend", t(`settings.${name}`)),
    el("div.seg", ...CHOICES[name].map((value) => el("label",
      el("input", {
        type: "radio", name, value: value ?? "", checked: value === chosen, "data-key": `${name}-${value}`,
        onchange: () => choose({ [name]: value }),
      }),
      el("span", t(`settings.${name}_${value ?? "system"}`))))));
}
