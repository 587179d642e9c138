/**
 * `<kd-waiting>`: the room where a table waits for its players. Whoever laid the table finds the ways to
 * invite and to begin here, whoever comes by a link or by chance a seat, and whoever has one the way out of it.
 * `show(table, you)` draws it; fires `sat` {table, you} when what was done here changed them.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").Seat} Seat
 * @typedef {{seat: number, secret: string}} Invite
 * @typedef {{name?: string, seats: number[], host?: boolean, invites?: Invite[], code?: string}} You
 * @typedef {"host" | "seated" | "invited" | "open" | "kept"} Mood who looks, and what they may do here
 */
import { attempt, post } from "./api.js";
import { SEATS, backSvg, icon, king } from "./art.js";
import { copyText } from "./copy.js";
import { h, refill, tell, wordmark } from "./h.js";
import { botWhy, summary, variants } from "./options.js";
import { nameOf } from "./rich.js";
import { t } from "./words.js";

const LONGEST_NAME = 24;
const SHORT_WHILE = 2000;
/** Whether the page comes from this very machine: no other can open a link to it. */
const ONLY_HERE = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

class Waiting extends HTMLElement {
  /** @type {Table | undefined} */
  #table;
  #drawn = "";
  /** What was typed as one's name stays, whatever happens at the table meanwhile. */
  #name = h("input.field", {
    id: "wait-name", "data-key": "name", maxlength: LONGEST_NAME, autocomplete: "nickname", spellcheck: "false",
  });
  #refusal = h("p.refusal", { role: "alert" });
  #told = h("p.lead", { role: "status" });

  /** When the game begins, which may be heard of before the answer that one sits. */
  disconnectedCallback() {
    forget();
  }

  /** Draws what has changed, and leaves the focus where it was. @param {Table} table @param {You} you */
  show(table, you) {
    const { state, seats } = table;
    const now = JSON.stringify([state, seats, you]);
    if (now === this.#drawn) return;
    if (!this.#table) this.#name.value = you.name ?? "";
    this.#table = table;
    this.#drawn = now;
    this.className = "waiting";
    const held = this.contains(document.activeElement);
    refill(this, h("div.top", wordmark()), ...(state === "closed" ? gone() : this.#room(table, you)));
    if (held && !this.contains(document.activeElement)) this.querySelector("h1")?.focus();
  }

  /** @param {Table} table @param {You} you */
  #room(table, you) {
    const free = table.seats.filter(isFree);
    const stranger = secret() ? "invited" : free.some(({ kind }) => kind === "open") ? "open" : "kept";
    const mood = you.host ? "host" : you.seats.length ? "seated" : stranger;
    const rules = { ...table.rules, dynasty: table.dynasty, seconds: table.seconds };
    this.#told.textContent = t(`wait.${mood}_next`, { n: free.length });
    return [
      h("header", h("h1", { tabindex: "-1" }, t(`wait.${mood}`)), this.#told),
      h("section.sheet.seats", { "aria-label": t("wait.seats") },
        (mood === "invited" || mood === "open") && this.#ask(mood),
        h("ul.who-sits", ...table.seats.map((entry) => this.#row(table, you, entry, mood))),
        this.#refusal),
      h("aside",
        you.code && code(you.code),
        you.host && free.length > 0 && ONLY_HERE && h("p.label", t("wait.only_here")),
        h("div.kind",
          h("div.back", backSvg(rules.dominoes)),
          h("p.lead", summary(rules)),
          h("p.label", variants(rules).join(" · "))),
        you.host && this.#begin(free.length)),
    ];
  }

  /** Asks a visitor's name; whoever has come by a link sits down with it. @param {Mood} mood */
  #ask(mood) {
    const sit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (mood === "invited") this.#do("seats", { secret: secret(), ...this.#named() });
    };
    return h("form.ask", { onsubmit: sit },
      h("label", { for: "wait-name" }, t("wait.name")), this.#name,
      mood === "invited" && h("button.button.primary", { "data-key": "sit" }, t("wait.sit")));
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
    return h(`li.seat-${SEATS[seat]}`, { "data-free": isFree(entry) },
      king(seat),
      h("div",
        h("b", isFree(entry) ? t(`wait.seat_${kind}`) : nameOf(table, seat)),
        h("small", own ? t("wait.you") : about(entry))),
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
    const sure = (/** @type {boolean} */ asked) => {
      close.classList.toggle("sure", asked);
      close.textContent = t(asked ? "wait.close_sure" : "wait.close");
    };
    const close = h("button.button.bare", {
      type: "button", "data-key": "close", onblur: () => sure(false),
      onclick: () => (close.matches(".sure") ? this.#do("close", {}) : sure(true)),
    }, t("wait.close"));
    start.classList.add("primary", "big");
    return h("div.begin", start, h("p.label", t("wait.start_why", { n: free })), close);
  }

  /** @param {string} name @param {string} key @param {string} path @param {() => object} [body] */
  #button(name, key, path, body = () => ({})) {
    const act = () => this.#do(path, body(), button);
    const button = h("button.button", { type: "button", "data-key": name, onclick: act }, t(key));
    return button;
  }

  /** @param {string} path @param {object} body @param {HTMLButtonElement} [button] */
  #do(path, body, button) {
    return attempt(async () => {
      const told = await post(`/api/tables/${this.#table?.id}/${path}`, body);
      forget();
      tell(this, "sat", { table: told.table ?? this.#table, you: told.you });
    }, this.#refusal, button);
  }
}
customElements.define("kd-waiting", Waiting);

/** @param {Seat} entry */
const isFree = ({ kind }) => kind === "invited" || kind === "open";

/** @param {Seat} entry */
const about = ({ kind, bot }) => (bot && botWhy(bot)) || t(`wait.is_${kind}`);

/** The secret of the link by which somebody came; it stands behind the #, which no server is sent. */
const secret = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** Takes it out of the address. */
const forget = () => history.replaceState(null, "", location.pathname);

const gone = () => [
  h("header",
    h("h1", { tabindex: "-1" }, t("wait.closed")),
    h("p.lead", { role: "status" }, t("wait.closed_why"))),
  h("div", h("a.button.primary", { href: "/" }, t("wait.home"))),
];

/** The three words that one can read out to a friend. @param {string} words */
const code = (words) => h("div.code",
  h("p.label", t("wait.code")), h("p.words", words), h("p.label", t("wait.code_why")));

/** The link to one seat, to be copied or sent on. @param {string} id @param {Invite} invite */
function link(id, { seat, secret: word }) {
  const url = `${location.origin}/t/${id}#seat=${word}`;
  const words = h("span", t("wait.copy"));
  const copied = h("span.visually-hidden", { role: "status" });
  const copy = async () => {
    await copyText(url);
    words.textContent = copied.textContent = t("wait.copied");
    setTimeout(() => {
      words.textContent = t("wait.copy");
      copied.textContent = "";
    }, SHORT_WHILE);
  };
  const share = () => navigator.share({ text: t("wait.share_text"), url }).catch(() => {});
  const field = h("input.field", {
    value: url, readonly: true, "aria-label": t("wait.link", { seat: seat + 1 }), onfocus: () => field.select(),
  });
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick, /** @type {any[]} */ ...parts) =>
    h("button.button", { type: "button", "data-key": `${name}-${seat}`, onclick }, ...parts);
  return h("div.invite", field, button("copy", copy, icon("link"), words), copied,
    "share" in navigator && button("share", share, t("wait.share")));
}
