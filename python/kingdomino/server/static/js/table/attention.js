/**
 * Alerts you to your turn while you look elsewhere: by the page's title and icon, by a bell, and by a browser
 * notification if you have allowed it.
 */
import { find } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { fileUrl } from "../net/address.js";
import { loadSetting, saveSetting } from "../net/storage.js";
import { playBell } from "./sound.js";

/** The address of this page. */
const ADDRESS = location.href.split("#")[0];

/** Whether browsers allow notifications at this address: only over HTTPS, or on the server's own machine. */
export const canNotify = () => isSecureContext && "Notification" in window;

export const doesNotify = () => canNotify() && Notification.permission === "granted" && loadSetting("notify") === true;

/** Switches notifications on or off. Returns whether they are on, because the browser may refuse. @param {boolean} on */
export async function setNotify(on) {
  const isAllowed = on && canNotify() && await Notification.requestPermission() === "granted";
  saveSetting("notify", isAllowed);
  return isAllowed;
}

export class Attention {
  #isMine = false;
  /** @type {Notification | undefined} */
  #shown;
  #icon = find(document, "link[rel=icon][sizes=any]", HTMLLinkElement);

  constructor() {
    this.#close(); // left from before a reload
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#close();
      this.#showIcon();
    });
  }

  /** @param {boolean} isMine whether it is your turn */
  show(isMine) {
    if (this.#isMine && !isMine) this.#close();
    this.#isMine = isMine;
    document.title = t(isMine ? "table.title_yours" : "table.title");
    this.#showIcon();
  }

  /** Announces your turn. @param {string} words what to do */
  call(words) {
    if (!document.hidden) return;
    playBell();
    if (doesNotify()) this.#notify(words);
  }

  #showIcon() {
    const href = fileUrl(this.#isMine && document.hidden ? "icon-turn.svg" : "icon.svg");
    if (this.#icon.href !== href) this.#icon.href = href;
  }

  async #close() {
    this.#shown?.close();
    if (!doesNotify()) return;
    const worker = await navigator.serviceWorker?.getRegistration();
    for (const each of await worker?.getNotifications({ tag: ADDRESS }) ?? []) each.close();
  }

  /** @param {string} words */
  async #notify(words) {
    const options = { body: words, tag: ADDRESS, icon: this.#icon.href };
    try {
      this.#shown = new Notification(t("table.title"), options);
      this.#shown.onclick = () => {
        window.focus();
        this.#shown?.close();
      };
    } catch { // some browsers, such as those on Android, allow notifications only from a service worker
      const worker = await navigator.serviceWorker?.getRegistration();
      await worker?.showNotification(t("table.title"), options);
    }
  }
}
