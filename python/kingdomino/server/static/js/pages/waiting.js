/**
 * `<kd-waiting>`: a waiting table. The host invites players and starts the game here, a visitor
 * takes a seat, and a player can leave.
 */
import { backSvg, icon, king, SEATS } from "../draw/art.js";
import { copyFrom } from "../draw/copy.js";
import { el, replaceContent, wordmark } from "../draw/dom.js";
import { fingerprint } from "../draw/fingerprint.js";
import { t } from "../i18n/locale.js";
import { fullName, isFree, LONGEST_NAME } from "../i18n/names.js";
import { botDescription, rulesSummary, variantNames } from "../i18n/rules-text.js";
import { IS_LOCAL, linkTo, pathTo, replayPath } from "../net/address.js";
import { attempt, isUsedLink, post } from "../net/api.js";
import { promiseNonce } from "../table/nonces.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { Closed, Invite, SeatEntry, Seen, Table, You } from "../net/types.js"
 * @typedef {"host" | "seated" | "invited" | "open" | "kept" | "drawing"} Role the person's role here
 */

export class Waiting extends HTMLElement {
  /** Called with the server's answer to a change. @type {((answer: Partial<Seen>) => void) | null} */
  onChange = null;
  /** Called when the private link is no longer valid. @type {(() => void) | null} */
  onUsedLink = null;
  #id = "";
  #drawn = "";
  /** The same element in all drawings, so that a typed name stays. */
  #name = el("input.field", {
    id: "wait-name", "data-key": "name", maxlength: LONGEST_NAME, autocomplete: "nickname", spellcheck: "false",
  });
  #refusal = el("p.refusal", { role: "alert" });
  #title = el("h1", { tabindex: "-1" });
  #status = el("p.lead", { role: "status" });
  /** It stays in the page, so that screen readers announce changes. */
  #header = el("header", this.#title, this.#status);

  /** The game may begin before the answer about the seat arrives. */
  disconnectedCallback() {
    forgetSecret();
  }

  /** Draws changes, and keeps the focus. @param {Table} table @param {You} you */
  show(table, you) {
    const { state, seats } = table;
    const now = JSON.stringify([state, seats, you]);
    if (now === this.#drawn) return;
    if (!this.#id) this.#name.value = you.name ?? "";
    this.#id = table.id;
    this.#drawn = now;
    this.className = "waiting";
    const hadFocus = this.contains(document.activeElement);
    const content = table.closed ? closedTable(table, table.closed) : this.#content(table, you);
    replaceContent(this, el("div.top", wordmark()), ...content);
    if (hadFocus && !this.contains(document.activeElement)) this.querySelector("h1")?.focus();
  }

  /** @param {Table} table @param {You} you */
  #content(table, you) {
    if (table.state === "drawing") return this.#drawing(table, you);
    const free = table.seats.filter(isFree);
    const visitor = secret() ? "invited" : free.some(({ kind }) => kind === "open") ? "open" : "kept";
    const role = you.host ? "host" : you.seats.length ? "seated" : visitor;
    const rules = { ...table.rules, dynasty: table.dynasty, seconds: table.seconds };
    return [
      this.#head(t(`wait.${role}`), t(`wait.${role}_next`, { n: free.length })),
      el("section.sheet.seats", { "aria-label": t("wait.seats") },
        (role === "invited" || role === "open") && this.#nameForm(role),
        el("ul.who-sits", ...table.seats.map((entry) => this.#row(table, you, entry, role))),
        this.#refusal),
      el("aside",
        you.code && code(you.code),
        you.host && free.length > 0 && IS_LOCAL && el("p.label", t("wait.only_here")),
        el("div.kind",
          el("div.back", backSvg(rules.dominoes)),
          el("p.lead", rulesSummary(rules)),
          el("p.label", variantNames(rules).join(" · "))),
        table.commitment && this.#honesty(table.commitment),
        you.host && this.#hostControls(free.length)),
    ];
  }

  /** The commitment, in a part that stays open when the page redraws. @param {string} commitment */
  #honesty(commitment) {
    const fold = el("details.fold",
      el("summary", { "data-key": "honesty" }, icon("open"), el("span", t("wait.honesty"))),
      el("p.label", t("table.commitment"), " ", fingerprint(commitment)));
    fold.open = this.querySelector("details")?.open ?? false;
    return fold;
  }

  /** @param {string} title @param {string} status */
  #head(title, status) {
    this.#title.textContent = title;
    if (this.#status.textContent !== status) this.#status.textContent = status;
    return this.#header;
  }

  /** All seats are taken: browsers reveal their random numbers. @param {Table} table @param {You} you */
  #drawing(table, you) {
    return [
      this.#head(t("wait.drawing"), t("wait.drawing_next")),
      el("section.sheet.seats", { "aria-label": t("wait.seats") },
        el("ul.who-sits", ...table.seats.map((entry) => this.#row(table, you, entry, "drawing")))),
    ];
  }

  /** Asks for a visitor's name; with a private link, the visitor takes the seat here. @param {Role} role */
  #nameForm(role) {
    const sit = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (role === "invited") this.#takeSeat({ secret: secret() });
    };
    return el("form.ask", { onsubmit: sit },
      el("label", { for: "wait-name" }, t("wait.name")), this.#name,
      role === "invited" && el("button.button.primary", { "data-key": "sit" }, t("wait.sit")));
  }

  /**
   * A seat: who has it, and possible actions.
   * @param {Table} table
   * @param {You} you
   * @param {SeatEntry} entry
   * @param {Role} role
   */
  #row(table, you, entry, role) {
    const { seat, kind } = entry;
    const own = you.seats.includes(seat);
    const invite = you.invites.find((one) => one.seat === seat);
    const leave = () => post("/api/tables/{table}/seats/{seat}/leave", { table: table.id, seat }, {});
    return el(`li.seat-${SEATS[seat]}`, { "data-free": isFree(entry) },
      king(seat),
      el("div",
        el("b", ...(isFree(entry) ? [t(`wait.seat_${kind}`)] : fullName(table, seat))),
        el("small", own ? t("wait.you") : description(entry))),
      role === "open" && kind === "open"
        && button(`sit-${seat}`, "wait.sit_here", (made) => this.#takeSeat({ seat }, made)),
      role === "seated" && own && button(`leave-${seat}`, "wait.leave", (made) => this.#do(leave, made)),
      invite && inviteLink(table.id, invite));
  }

  /** Buttons to start the game, or to close the table after a confirmation. @param {number} free */
  #hostControls(free) {
    const table = this.#id;
    const startGame = () => post("/api/tables/{table}/start", { table }, {});
    const start = button("start", "wait.start", (made) => this.#do(startGame, made));
    const ask = (/** @type {boolean} */ asked) => {
      close.classList.toggle("sure", asked);
      close.textContent = t(asked ? "wait.close_sure" : "wait.close");
      if (asked) close.focus(); // Safari does not focus a clicked button
    };
    const closeTable = async () => {
      await post("/api/tables/{table}/close", { table }, {});
      return {};
    };
    /** @type {HTMLButtonElement} */
    const close = el("button.button.bare", {
      type: "button", "data-key": "close", onblur: () => ask(false),
      onclick: () => (close.matches(".sure") ? this.#do(closeTable) : ask(true)),
    }, t("wait.close"));
    start.classList.add("primary", "big");
    return el("div.begin", start, el("p.label", t("wait.start_why", { n: free })), close);
  }

  /** @param {{secret?: string | null, seat?: number}} seat @param {HTMLButtonElement} [button] */
  #takeSeat(seat, button) {
    const name = this.#name.value.trim();
    const digest = promiseNonce();
    const body = name ? { ...seat, name, digest } : { ...seat, digest };
    return this.#do(() => post("/api/tables/{table}/seats", { table: this.#id }, body), button);
  }

  /** @param {() => Promise<Partial<Seen>>} request @param {HTMLButtonElement} [button] */
  #do(request, button) {
    return attempt(async () => {
      const answer = await request().catch((error) => {
        if (isUsedLink(error)) this.onUsedLink?.();
        throw error;
      });
      forgetSecret();
      this.onChange?.(answer);
    }, this.#refusal, button);
  }
}
customElements.define("kd-waiting", Waiting);

/** @param {string} key for the focus @param {string} words @param {(button: HTMLButtonElement) => void} act */
function button(key, words, act) {
  const made = el("button.button", { type: "button", "data-key": key }, t(words));
  made.onclick = () => act(made);
  return made;
}

/** @param {SeatEntry} entry */
const description = ({ kind, bot }) => (bot && botDescription(bot)) || t(`wait.is_${kind}`);

/** The secret of a private link, after the #, which browsers do not send. */
const secret = () => new URLSearchParams(location.hash.slice(1)).get("seat");

/** Removes it from the address. */
const forgetSecret = () => history.replaceState(null, "", location.pathname);

/** @param {Table} table @param {Closed} closed */
const closedTable = ({ id, game }, { why }) => [
  el("header",
    el("h1", { tabindex: "-1" }, t("wait.closed")),
    el("p.lead", { role: "status" }, t(`wait.closed_${why}`))),
  el("div.do",
    el("a.button.primary", { href: pathTo("/new") }, t("wait.new")),
    game > 0 && el("a.button", { href: replayPath(id) }, t("end.look_back")),
    el("a.button.bare", { href: pathTo("/") }, t("wait.home"))),
];

/** The code to read to a friend. @param {string} words */
const code = (words) => el("div.code",
  el("p.label", t("wait.code")), el("p.words", words), el("p.label", t("wait.code_why")));

/** The private link to a seat, to copy or to share. @param {string} id @param {Invite} invite */
function inviteLink(id, { seat, secret: word }) {
  const url = linkTo(`/t/${id}#seat=${word}`);
  const words = el("span", t("wait.copy"));
  const copy = () => copyFrom(words, "wait.copy", url, field);
  const share = () => navigator.share({ text: t("wait.share_text"), url }).catch(() => {});
  /** @type {HTMLInputElement} */
  const field = el("input.field", {
    value: url, readonly: true, "aria-label": t("wait.link", { seat: seat + 1 }), onfocus: () => field.select(),
  });
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick, /** @type {Child[]} */ ...parts) =>
    el("button.button", { type: "button", "data-key": `${name}-${seat}`, onclick }, ...parts);
  return el("div.invite", field, button("copy", copy, icon("link"), words),
    "share" in navigator && button("share", share, t("wait.share")));
}
