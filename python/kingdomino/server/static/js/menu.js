/**
 * The quiet menu behind "more": the moves so far, links to take along, language, sound, and the way out.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { attempt, post } from "./api.js";
import { copyText } from "./copy.js";
import { h, refill } from "./h.js";
import { setSound, sounding } from "./sound.js";
import { chooseLanguage, t } from "./words.js";

export class Menu {
  /**
   * @param {HTMLElement} menu
   * @param {{table: Table | null, you: {seats: number[]}, allMoves: (opener: HTMLElement) => void}} page
   */
  constructor(menu, page) {
    this.menu = menu;
    this.page = page;
    menu.addEventListener("beforetoggle", (/** @type {any} */ { newState }) => {
      if (newState === "open") this.draw();
    });
    document.addEventListener("language", () => this.draw());
  }

  draw() {
    const { table, you } = this.page;
    if (!table) return;
    const playing = table.state === "playing" && you.seats.some((seat) => !table.seats[seat].away);
    this.said = h("p.label", { role: "status" });
    const languages = h("select");
    chooseLanguage(languages);
    this.menu.ariaLabel = t("table.more");
    refill(this.menu,
      this.#item("table.all_moves", () => {
        this.menu.hidePopover();
        this.page.allMoves(/** @type {HTMLElement} */ (document.querySelector("[popovertarget=menu]")));
      }),
      this.#item("table.copy_watch", () => this.#copy(`/t/${table.id}`, "table.copied_watch")),
      ...you.seats.map((seat) => this.#takeAlong(table, seat, you.seats.length > 1)),
      h("label", h("span", t("table.sound")),
        h("input", { type: "checkbox", role: "switch", checked: sounding(),
          onchange: (/** @type {any} */ { target }) => setSound(target.checked) })),
      h("label", h("span", t("table.language")), languages),
      h("a.button.bare", { href: "/" }, t("table.home")),
      playing && this.#leave(table, you.seats),
      this.said);
  }

  /** @param {string} key @param {() => void} act @param {Record<string, string>} [params] */
  #item(key, act, params) {
    return h("button.button.bare", { type: "button", onclick: act }, t(key, params));
  }

  /** @param {Table} table @param {number} seat @param {boolean} several */
  #takeAlong(table, seat, several) {
    const key = several ? "table.take_along_name" : "table.take_along";
    return this.#item(key, () => attempt(async () => {
      const { secret } = await post(`/api/tables/${table.id}/seats/${seat}/secret`);
      await this.#copy(`/t/${table.id}#seat=${secret}`, "table.copied_seat");
    }, this.said), { name: table.seats[seat].name ?? "" });
  }

  /** Leaving asks once more, in its own place. @param {Table} table @param {number[]} seats */
  #leave(table, seats) {
    const place = h("div.leave");
    const leave = () => attempt(async () => {
      for (const seat of seats) await post(`/api/tables/${table.id}/seats/${seat}/leave`);
      this.menu.hidePopover();
    }, this.said);
    place.append(this.#item("table.leave", () => {
      const stay = this.#item("table.stay", () => this.draw());
      place.replaceChildren(h("p.label", t("table.leave_why")),
        h("div.hand", this.#item("table.leave_now", leave), stay));
      stay.focus();
    }));
    return place;
  }

  /** @param {string} path @param {string} key what is said when it is copied */
  async #copy(path, key) {
    await copyText(location.origin + path);
    this.said.textContent = t(key);
  }
}
