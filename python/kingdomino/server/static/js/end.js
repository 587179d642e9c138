/**
 * `<kd-end>`: the end of a game. The kingdoms are counted territory by territory, the last place first; then
 * stands who won and why, who came then, and where to go on. `show(table, you, fresh)`: the table with its game
 * over, who looks, and whether it has ended just now, before their eyes, and is counted for them.
 *
 * All words are in the page from the start and only show themselves bit by bit: a screen reader has them at
 * once.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {{seats: number[]}} You
 */
import { attempt, post } from "./api.js";
import { SEATS, king, seal } from "./art.js";
import { checkDeal, recordPath } from "./deal.js";
import { dynastyTable } from "./dynasty.js";
import { h, refill, wordmark } from "./h.js";
import { duration } from "./motion.js";
import { nameOf } from "./rich.js";
import { account, counted, inTurn, picture, uncounted } from "./tally.js";
import { because, headline, matchHeadline, places } from "./verdict.js";
import { ordinal, t } from "./words.js";

/** How long a territory is looked at, and how long a kingdom that has not won may take. */
const STEP = 500;
const KINGDOM = 3000;

class End extends HTMLElement {
  #drawn = "";
  #ways = h("div");
  #count = new AbortController();

  disconnectedCallback() {
    this.#count.abort();
  }

  /**
   * Draws a game once; what may still change after it are the ways to go on.
   * @param {Table} table
   * @param {You} you
   * @param {boolean} fresh
   */
  show(table, you, fresh) {
    if (!table.deal) return;
    const game = `${table.id} ${table.game}`;
    if (game !== this.#drawn) this.#build(table, fresh);
    this.#drawn = game;
    const ways = goOn(table, you);
    if (ways.dataset.state === this.#ways.dataset.state) return;
    this.#ways.replaceWith(ways);
    this.#ways = ways;
  }

  /** @param {Table} table @param {boolean} fresh */
  #build(table, fresh) {
    const order = places(table);
    const stage = h("div.stage");
    const others = order.slice(1).map(({ seat, place }) => entry(table, seat, place));
    const title = table.finished.winners.length > 1 ? "end.all_kingdoms" : "end.then_came";
    this.#count.abort();
    this.#count = new AbortController();
    this.#ways = h("div");
    this.className = "end";
    refill(this, h("div.top", wordmark()), head(table), stage,
      h("section.ranks", h("h2", t(title)), h("ol", ...others),
        table.games > 1 && dynastyTable(table), this.#ways, promise(table)));
    if (fresh) {
      scrollTo(0, 0);
      /** @type {HTMLElement} */ (this.querySelector("h1")).focus({ preventScroll: true });
    }
    if (fresh && duration("--move")) this.#countOut(table, order.map(({ seat }) => seat), stage, others);
    else stage.replaceChildren(counted(table, order[0].seat));
  }

  /**
   * Counts the kingdoms from the last to the first; a key or a press skips to the end of it.
   * @param {Table} table
   * @param {number[]} seats from first to last
   * @param {HTMLElement} stage where a kingdom is counted
   * @param {HTMLElement[]} others the entries of all but the first
   */
  async #countOut(table, seats, stage, others) {
    const { signal } = this.#count;
    for (const kind of ["keydown", "pointerdown"]) {
      document.addEventListener(kind, () => this.#count.abort(), { signal });
    }
    const told = /** @type {HTMLElement} */ (this.querySelector(".counting-now"));
    this.classList.add("counting");
    for (const [at, seat] of [...seats.entries()].reverse()) {
      const kingdom = uncounted(table, seat);
      const all = inTurn(table, seat);
      const pace = at ? Math.min(STEP, KINGDOM / (all.length + 1)) : STEP;
      stage.replaceChildren(kingdom.element);
      told.replaceChildren(t("end.counting", { who: nameOf(table, seat) }),
        h("span.label", t("end.skip")));
      for (const part of all) {
        await step(signal, pace);
        kingdom.count(part);
      }
      await step(signal, pace);
      if (signal.aborted) break;
      others[at - 1]?.classList.add("counted");
    }
    this.#count.abort();
    this.classList.remove("counting");
    stage.replaceChildren(counted(table, seats[0]));
  }
}
customElements.define("kd-end", End);

/**
 * Settles after a time; at once when the rest is skipped.
 * @param {AbortSignal} signal
 * @param {number} pace
 */
const step = (signal, pace) => new Promise((go) => {
  setTimeout(go, signal.aborted ? 0 : pace);
  signal.addEventListener("abort", go);
});

/** Who won, and why. @param {Table} table */
function head(table) {
  const { finished } = table;
  const { winners } = finished.match ?? finished;
  const won = headline(table);
  const why = finished.match && finished.decided_by === "score" ? "" : because(table);
  const match = finished.match && { title: matchHeadline(table), why: t("end.last_game", { won, why }) };
  const { title, why: reason } = match ?? { title: won, why };
  return h("header.head", ...winners.map(king), h("div",
    h("p.counting-now", { "aria-hidden": "true" }),
    h("h1", { tabindex: "-1", "aria-describedby": "end-why" }, title),
    h("p.why", { id: "end-why" }, reason)));
}

/** One of those who came then: the place, the kingdom small, what it scored. */
function entry(/** @type {Table} */ table, /** @type {number} */ seat, /** @type {number} */ place) {
  const { total } = table.finished.scores[seat];
  return h(`li.seat-${SEATS[seat]}`,
    h("span.place", ordinal(place)), h("div.mini", picture(table, seat)),
    h("div",
      h("div.who", seal(seat), h("span.name", nameOf(table, seat)),
        h("span.score", total)),
      account(table, seat)));
}

/** What one can do now. @param {Table} table @param {You} you */
function goOn({ id, game, state, rematch, deal }, you) {
  const seated = you.seats.length > 0;
  const between = state === "between";
  const refusal = h("p.refusal", { role: "alert" });
  const button = (/** @type {string} */ key, /** @type {string} */ path) => {
    const go = () => attempt(async () => {
      const next = await post(`/api/tables/${id}/${path}`);
      if (next.id) location.assign(`/t/${next.id}`);
    }, refusal, made);
    const made = h("button.button.primary", { type: "button", onclick: go }, t(key));
    return made;
  };
  return h("div.go-on", { "data-state": `${seated} ${between} ${rematch}` },
    rematch && h("p", { role: "status" }, t("end.next_table")),
    h("div.hand",
      between && seated && button("end.next_game", "next"),
      !between && seated && !rematch && button("end.again", "rematch"),
      rematch && h("a.button.primary", { href: `/t/${rematch}` }, t("end.to_next_table")),
      h("a.button", { href: `/t/${id}/replay${game > 1 ? `#game-${game}` : ""}` }, t("end.look_back")),
      h("a.button.bare", { href: recordPath(id, deal), download: true }, t("end.record"))),
    refusal);
}

/** What was promised about the deck, and the way to hold the table to it. @param {Table} table */
function promise(table) {
  const { commitment } = table;
  const result = h("p", { role: "status" });
  const check = () => attempt(async () => {
    const found = await checkDeal(table);
    result.className = found.startsWith("holds") ? "holds" : "refusal";
    result.textContent = t(`end.deal_${found}`);
  }, result);
  return h("div.deal.label",
    h("p", t("end.deal_fixed"), " ",
      h("code", { title: commitment }, `${commitment.slice(0, 6)}…${commitment.slice(-6)}`), " ",
      h("button.link", { type: "button", onclick: check }, t("end.deal_check"))),
    result);
}
