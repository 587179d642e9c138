/**
 * Shares the picture of a finished game: with an app if the browser can, else as a download.
 */
import { el, saveFile } from "../draw/dom.js";
import { language, t } from "../i18n/locale.js";
import { pathTo } from "../net/address.js";
import { attempt, RequestError } from "../net/api.js";

/** The button, with the reason of a failure below it. @param {string} table @param {number} game @param {Element} refusal */
export function shareButton(table, game, refusal) {
  const button = el("button.button", { type: "button" }, t("end.share"));
  button.onclick = async () => {
    await attempt(async () => share(await picture(table, game)), refusal, button);
    button.disabled = false;
  };
  return button;
}

/** @param {string} table @param {number} game */
async function picture(table, game) {
  const response = await fetch(pathTo(`/api/tables/${table}/picture?game=${game}&language=${language}`))
    .catch(() => { throw new RequestError(0, { code: "offline" }); });
  if (!response.ok) throw new RequestError(response.status, await response.json().catch(() => ({ code: "offline" })));
  return new File([await response.blob()], `kingdomino-${table}.png`, { type: "image/png" });
}

/** @param {File} file */
export async function share(file) {
  const data = { files: [file], url: location.origin + location.pathname };
  if (navigator.canShare?.(data)) {
    await navigator.share(data).catch((error) => {
      if (error.name !== "AbortError") saveFile(file); // the person closed the sheet
    });
  } else {
    saveFile(file);
  }
}

