/**
 * `<kd-waiting>`: the room where a table waits for its players. Whoever laid the table finds the ways to
 * invite and to begin here, whoever comes by a link or by chance a seat, and whoever has one the way out of it.
 * Properties: `table` and `you`; fires `sat` with both in `detail` when what was done here changed them.
 * Imports api.js, art.js, copy.js, h.js, options.js, rich.js and words.js.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").Seat} Seat
 * @typedef {{seat: number, secret: string}} Invite
 * @typedef {{name?: string, seats: number[], host?: boolean, invites?: Invite[], code?: string}} You
 * @typedef {"host" | "seated" | "invited" | "open" | "kept"} Mood who looks, and what they may do here
 */
import { explain, post } from "./api.js";
import { SEATS, backSvg, drawable, icon, king } from "./art.js";
import { copyText } from "./copy.js";
import { h, wordmark } from "./h.js";
import { botWhy, summary, variants } from "./options.js";
import { nameOf } from "./rich.js";
import { t } from "./words.js";

const LONGEST_NAME = 24;
const SHORT_WHILE = 2000;
/** Whether the page comes from this very machine: no other can open a link to it. */
const ONLY_HERE = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

class Waiting extends HTMLElement {
  /** @type {Table | null} */
  #table = null;
  /** @type {You | null} */
  #you = null;
  #drawn = "";
  /** What was typed as one's name stays, whatever happens at the table meanwhile. */
  #name = h("input", {
    class: "field", id: "wait-name", maxlength: LONGEST_NAME, autocomplete: "nickname", spellcheck: "false",
  });
  #refusal = h("p", { class: "refusal", role: "alert" });
  #told = h("p", { class: "lead", role: "status" });

  set table(/** @type {Table} */ table) {
    this.#table = table;
    this.#draw();
  }

  set you(/** @type {You} */ you) {
    if (!this.#you) this.#name.value = you.name ?? "";
    this.#you = you;
    this.#draw();
  }

  /** Draws what has changed, and leaves the focus where it was. */
  async #draw() {
    await drawable;
    if (!this.#table || !this.#you) return;
    const { state, seats } = this.#table;
    const now = JSON.stringify([state, seats, this.#you]);
    if (now === this.#drawn) return;
    this.#drawn = now;
    const held = document.activeElement;
    const within = held && this.contains(held) ? held.id : null;
    const content = state === "closed" ? gone() : this.#room(this.#table, this.#you);
    this.className = "waiting";
    this.replaceChildren(h("div", { class: "top" }, wordmark()), ...content);
    if (within === null) return;
    /** @type {any} */ (this.querySelector(`[id="${within}"]`) ?? this.querySelector("h1")).focus();
  }

  /** @param {Table} table @param {You} you */
  #room(table, you) {
    const free = table.seats.filter(isFree);
    const stranger = secret() ? "invited" : free.some(({ kind }) => kind === "open") ? "open" : "kept";
    const mood = you.host ? "host" : you.seats.length ? "seated" : stranger;
    const rules = { ...table.rules, dynasty: table.dynasty, seconds: table.seconds };
    this.#told.textContent = t(`wait.${mood}_next`, { n: free.length });
    return [
      h("header", {}, h("h1", { tabindex: "-1" }, t(`wait.${mood}`)), this.#told),
      h("section", { class: "sheet seats", "aria-label": t("wait.seats") },
        (mood === "invited" || mood === "open") && this.#ask(mood),
        h("ul", { class: "who-sits" }, ...table.seats.map((entry) => this.#row(table, you, entry, mood))),
        this.#refusal),
      h("aside", {},
        you.code && code(you.code),
        you.host && free.length > 0 && ONLY_HERE && h("p", { class: "label" }, t("wait.only_here")),
        h("div", { class: "kind" },
          h("div", { class: "back" }, backSvg(rules.dominoes)),
          h("p", { class: "lead" }, summary(rules)),
          h("p", { class: "label" }, variants(rules).join(" · "))),
        you.host && this.#begin(free.length)),
    ];
  }

  /** Asks a visitor's name; whoever has come by a link sits down with it. @param {Mood} mood */
  #ask(mood) {
    const sit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (mood === "invited") this.#do("seats", { secret: secret(), ...this.#named() });
    };
    return h("form", { class: "ask", onsubmit: sit },
      h("label", { for: "wait-name" }, t("wait.name")), this.#name,
      mood === "invited" && h("button", { class: "button primary", id: "wait-sit" }, t("wait.sit")));
  }

  /**
   * A seat: who sits there or may, and what can be done about it.
   * @param {Table} table
   * @param {You} you
   * @param {Seat} entry
   * @param {Mood} mood
   */
  #row(table, you, entry, mood) {
    const { seat, kind } = entry;
    const own = you.seats.includes(seat);
    const invite = you.invites?.find((one) => one.seat === seat);
    return h("li", { class: `seat-${SEATS[seat]}`, "data-free": isFree(entry) },
      king(seat),
      h("div", {},
        h("b", {}, isFree(entry) ? t(`wait.seat_${kind}`) : nameOf(table, seat)),
        h("small", {}, own ? t("wait.you") : about(entry))),
      mood === "open" && kind === "open"
        && this.#button(`sit-${seat}`, "wait.sit_here", "seats", () => ({ seat, ...this.#named() })),
      mood === "seated" && own && this.#button(`leave-${seat}`, "wait.leave", `seats/${seat}/leave`),
      invite && link(table.id, invite));
  }

  #named() {
    const name = this.#name.value.trim();
    return name ? { name } : {};
  }

  /** What only the host can do: begin, or take the table away, which asks once more. @param {number} free */
  #begin(free) {
    const start = this.#button("start", "wait.start", "start");
    const close = h("button", { class: "button bare", type: "button", id: "wait-close" }, t("wait.close"));
    const sure = (/** @type {boolean} */ asked) => {
      close.classList.toggle("sure", asked);
      close.textContent = t(asked ? "wait.close_sure" : "wait.close");
    };
    close.addEventListener("click", () => {
      if (close.classList.contains("sure")) this.#do("close", {});
      else sure(true);
    });
    close.addEventListener("blur", () => sure(false));
    start.classList.add("primary", "big");
    const why = h("p", { class: "label" }, t("wait.start_why", { n: free }));
    return h("div", { class: "begin" }, start, why, close);
  }

  /** @param {string} id @param {string} key @param {string} path @param {() => object} [body] */
  #button(id, key, path, body = () => ({})) {
    const button = h("button", { class: "button", type: "button", id: `wait-${id}` }, t(key));
    button.addEventListener("click", async () => {
      button.disabled = true;
      await this.#do(path, body());
      button.disabled = false;
    });
    return button;
  }

  /** @param {string} path @param {object} body */
  async #do(path, body) {
    this.#refusal.textContent = "";
    try {
      const told = await post(`/api/tables/${this.#table?.id}/${path}`, body);
      if (secret()) history.replaceState(null, "", location.pathname);
      const detail = { table: told.table ?? this.#table, you: told.you ?? this.#you };
      Object.assign(this, detail);
      this.dispatchEvent(new CustomEvent("sat", { detail }));
    } catch (error) {
      this.#refusal.textContent = explain(error);
    }
  }
}
customElements.define("kd-waiting", Waiting);

/** @param {Seat} entry */
const isFree = ({ kind }) => kind === "invited" || kind === "open";

/** @param {Seat} entry */
const about = ({ kind, bot }) => (bot && botWhy(bot)) || t(`wait.is_${kind}`);

/** The secret of the link by which somebody came; it stands behind the #, which no server is sent. */
const secret = () => new URLSearchParams(location.hash.slice(1)).get("seat");

const gone = () => [
  h("header", {},
    h("h1", { tabindex: "-1" }, t("wait.closed")),
    h("p", { class: "lead", role: "status" }, t("wait.closed_why"))),
  h("div", {}, h("a", { class: "button primary", href: "/" }, t("wait.home"))),
];

/** The three words that one can read out to a friend. @param {string} words */
const code = (words) => h("div", { class: "code" },
  h("p", { class: "label" }, t("wait.code")), h("p", { class: "words" }, words),
  h("p", { class: "label" }, t("wait.code_why")));

/** The link to one seat, to be copied or sent on. @param {string} id @param {Invite} invite */
function link(id, { seat, secret: word }) {
  const url = `${location.origin}/t/${id}#seat=${word}`;
  const field = h("input", {
    class: "field", readonly: true, "aria-label": t("wait.link", { seat: seat + 1 }),
    onfocus: () => field.select(),
  });
  const words = h("span", {}, t("wait.copy"));
  const copied = h("span", { class: "visually-hidden", role: "status" });
  const copy = async () => {
    await copyText(url);
    words.textContent = copied.textContent = t("wait.copied");
    setTimeout(() => {
      words.textContent = t("wait.copy");
      copied.textContent = "";
    }, SHORT_WHILE);
  };
  const share = () => navigator.share({ text: t("wait.share_text"), url }).catch(() => {});
  field.value = url;
  const button = { class: "button", type: "button" };
  return h("div", { class: "invite" }, field,
    h("button", { ...button, id: `wait-copy-${seat}`, onclick: copy }, icon("link"), words), copied,
    "share" in navigator && h("button", { ...button, id: `wait-share-${seat}`, onclick: share }, t("wait.share")));
}
