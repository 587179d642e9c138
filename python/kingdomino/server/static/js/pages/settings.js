/**
 * The settings sheet: a dialog that any page can open.
 */
import { el, replaceContent } from "../draw/dom.js";
import { fillLanguageSelect, t } from "../i18n/locale.js";
import { choose, settings } from "../net/settings.js";
import { playKnock } from "../table/sound.js";

/** @import { Settings } from "../net/types.js" */

const CHOICES = /** @type {const} */ ({
  theme: [null, "light", "dark"],
  pace: ["calm", "brisk", "none"],
});

/** @type {HTMLDialogElement} */
const dialog = el("dialog.sheet.settings", { "aria-labelledby": "settings-head" });
document.body.append(dialog);
document.addEventListener("language", draw);
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());

export function openSettings() {
  draw();
  dialog.showModal();
}

function draw() {
  /** @type {HTMLInputElement} */
  const sound = el("input", {
    type: "checkbox", role: "switch", "data-key": "sound", checked: settings().sound ?? false,
    "aria-describedby": "why-sound",
    onchange: () => {
      choose({ sound: sound.checked });
      playKnock();
    },
  });
  const language = el("select", { id: "settings-language", "data-key": "language" });
  fillLanguageSelect(language, (chosen) => choose({ language: chosen }));
  replaceContent(dialog,
    el("div.who", el("h2", { id: "settings-head" }, t("settings.headline")),
      el("button.button.bare.icon.close",
        { type: "button", "aria-label": t("table.close"), onclick: () => dialog.close() },
        el("span", { "aria-hidden": "true" }, "✕"))),
    choice("theme", settings().theme),
    choice("pace", settings().pace ?? (matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "calm")),
    el("label.opt",
      el("span", el("b", t("settings.sound")), el("small", { id: "why-sound" }, t("settings.sound_why"))), sound),
    el("div", el("label.legend", { for: "settings-language" }, t("settings.language")), language),
    el("p.label", t("settings.kept")));
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
