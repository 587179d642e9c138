/**
 * `<kd-end>`: the end of a game. It counts the kingdoms territory by territory, yours last. Then it shows who won and why,
 * the places, and what to do next.
 *
 * All words are in the page from the start and become visible bit by bit, so screen readers have them at once.
 */
import { icon, king, seal, SEATS } from "../draw/art.js";
import { el, find, replaceContent, wordmark } from "../draw/dom.js";
import { fingerprint } from "../draw/fingerprint.js";
import { Kingdom } from "../draw/kingdom.js";
import { motionAllowed } from "../draw/motion.js";
import { figures, territoryRow } from "../draw/scores.js";
import { language, list, ordinal, t } from "../i18n/locale.js";
import { fullName, nameOf } from "../i18n/names.js";
import { yours } from "../i18n/game-text.js";
import { headline, matchHeadline, placesReason, scoreParts } from "../i18n/result-text.js";
import { lastGames, sendGames } from "../local/games.js";
import { mistakesPath, replayPath, reviewPath, tablePath } from "../net/address.js";
import { attempt } from "../net/api.js";
import { clientOf } from "../table/client.js";
import { checkDeal, recordLink } from "./deal.js";
import { Rematch, wishRematch } from "./rematch.js";
import { startGame } from "./begin.js";
import { shareButton } from "./share.js";
import { suggestionLine } from "./suggestion.js";

/**
 * @import { FinishedTable, Part } from "../i18n/result-text.js"
 * @import { DeckRevealed, Finished, Table, Territory, You } from "../net/types.js"
 * @import { Presence } from "../table/presence.js"
 */

/** Milliseconds for a territory; also the most for a kingdom, except the last one. */
const STEP = 500;
const KINGDOM = 3000;

export class End extends HTMLElement {
  /** The current game and language. */
  #game = "";
  #language = "";
  #next = el("div");
  /** Why a button of `#next` failed. It stays when a wish for a rematch redraws them. */
  #refusal = el("p.refusal", { role: "alert" });
  #rematch = new Rematch();
  #counting = new AbortController();

  disconnectedCallback() {
    this.#counting.abort();
  }

  /**
   * Draws the end of a game once, and again in another language; later only the next steps change.
   * @param {Table} table
   * @param {Pick<You, "seats">} you
   * @param {Presence} presence
   * @param {boolean} isFresh whether the game has just ended; then count the kingdoms
   */
  show(table, you, presence, isFresh) {
    const { deal, finished } = table;
    if (!deal || !finished) return;
    const game = `${table.id} ${table.game}`;
    const isNew = game !== this.#game || language !== this.#language;
    if (isNew) this.#build({ ...table, finished }, you.seats, deal, isFresh && game !== this.#game);
    this.#game = game;
    this.#language = language;
    this.#rematch.show(table, you, presence);
    if (isNew && table.state === "over") {
      sendGames();
      suggestion(table, you).then((line) => line && this.#next.after(line), () => {});
    }
    const next = nextSteps(table, deal, you, this.#refusal);
    if (next.dataset.state === this.#next.dataset.state) return;
    if (table.rematch) this.#refusal.textContent = "";
    next.append(this.#refusal);
    this.#next.replaceWith(next);
    this.#next = next;
  }

  /** @param {FinishedTable} table @param {number[]} own @param {DeckRevealed} deal @param {boolean} isFresh */
  #build(table, own, deal, isFresh) {
    const { ranking } = table.finished;
    const you = yours(own);
    const shown = you < 0 ? ranking[0] : you;
    const stage = el("div.stage");
    const entries = table.seats.map(({ seat }) => entry(table, seat, you));
    const ranked = el("ol", ...ranking.map((seat) => entries[seat]));
    this.#counting.abort();
    this.#counting = new AbortController();
    this.#next = el("div");
    this.#refusal = el("p.refusal", { role: "alert" });
    this.className = "end";
    replaceContent(this, el("div.top", wordmark(), table.state === "between" && more()), head(table, own, this.#rematch.element), stage,
      el("section.ranks", { "aria-label": t("end.all_kingdoms") }, ranked,
        table.games > 1 && dynastyTable(table), this.#next, clientOf(table.id).isShared && honesty(table, deal)));
    if (isFresh) {
      scrollTo(0, 0);
      find(this, "h1").focus({ preventScroll: true });
    }
    if (isFresh && motionAllowed()) this.#countKingdoms(table, you, shown, stage, ranked, entries);
    else stage.replaceChildren(countedKingdom(table, shown));
  }

  /**
   * Counts the kingdoms by seat, which reveals no place; a key or a press skips the rest.
   * @param {FinishedTable} table
   * @param {number} you your seat, which comes last, or -1
   * @param {number} shown the seat whose kingdom stays visible
   * @param {HTMLElement} stage where a kingdom is counted
   * @param {HTMLElement} ranked the list of all entries by place
   * @param {HTMLElement[]} entries those by seat
   */
  async #countKingdoms(table, you, shown, stage, ranked, entries) {
    const seats = [...entries.keys()].filter((seat) => seat !== you);
    if (you >= 0) seats.push(you);
    const byPlace = [...ranked.children];
    ranked.replaceChildren(...entries);
    const { signal } = this.#counting;
    for (const kind of ["keydown", "pointerdown"]) {
      document.addEventListener(kind, () => this.#counting.abort(), { signal });
    }
    const status = find(this, ".counting-now");
    this.classList.add("counting");
    for (const seat of seats) {
      const kingdom = kingdomToCount(table, seat);
      const parts = countingOrder(table, seat);
      const pace = seat === seats.at(-1) ? STEP : Math.min(STEP, KINGDOM / (parts.length + 1));
      stage.replaceChildren(kingdom.element);
      status.replaceChildren(t("end.counting", { who: nameOf(table, seat) }), el("span.label", t("end.skip")));
      for (const part of parts) {
        await wait(signal, pace);
        kingdom.count(part);
      }
      await wait(signal, pace);
      if (signal.aborted) break;
      entries[seat].classList.add("counted");
    }
    this.#counting.abort();
    this.classList.remove("counting");
    ranked.replaceChildren(...byPlace);
    stage.replaceChildren(countedKingdom(table, shown));
  }
}
customElements.define("kd-end", End);

/** Waits for some milliseconds, or until the signal aborts. @param {AbortSignal} signal @param {number} ms */
const wait = (signal, ms) => new Promise((resolve) => {
  setTimeout(resolve, signal.aborted ? 0 : ms);
  signal.addEventListener("abort", resolve);
});

/** Who won, and why. @param {FinishedTable} table @param {number[]} own your seats @param {HTMLElement} rematch */
function head(table, own, rematch) {
  const { match, decided_by } = table.finished;
  const { winners, places } = match ?? table.finished;
  const won = headline(table, own);
  const reason = match && decided_by === "score" ? "" : placesReason(table, own);
  const title = match ? matchHeadline(table, match, own) : won;
  const kings = places.length > 2 && places[yours(own)] > 1 ? own : winners;
  return el("header.head", ...kings.map(king), el("div",
    el("p.counting-now", { "aria-hidden": "true" }),
    el("h1", { tabindex: "-1", "aria-describedby": "end-why" }, title),
    el("p.why", { id: "end-why" }, match ? t("end.last_game", { won, why: reason }) : reason)), rematch);
}

/** The menu of the table, between two games of a Dynasty. */
function more() {
  const button = el("button.button.bare.icon", { type: "button", "aria-label": t("table.more") }, icon("more"));
  button.setAttribute("popovertarget", "menu");
  return button;
}

/** A seat with its place. @param {FinishedTable} table @param {number} seat @param {number} you your seat, or -1 */
function entry(table, seat, you) {
  const { scores, places } = table.finished;
  const { total } = scores[seat];
  return el(seat === you ? `li.you.seat-${SEATS[seat]}` : `li.seat-${SEATS[seat]}`,
    el("span.place", ordinal(places[seat])), el("div.mini", kingdomPicture(table, seat)),
    el("div",
      el("div.who", seal(seat), el("span.name", ...fullName(table, seat)), el("span.score", total)),
      scoreBreakdown(table, seat)));
}

/**
 * What to do next, without the place for refusals.
 * @param {Table} table @param {DeckRevealed} deal @param {Pick<You, "seats">} you @param {HTMLElement} refusal
 */
function nextSteps({ id, game, state, rematch, wishes, finished }, deal, you, refusal) {
  const isSeated = you.seats.length > 0;
  const own = yours(you.seats);
  const isLost = own >= 0 && !finished?.winners.includes(own);
  const isBetween = state === "between";
  const isFirst = state === "over" && isSeated && !rematch && wishes.rematch.length === 0;
  const button = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ work) => {
    const made = el(isLost && isFirst ? "button.button" : "button.button.primary", { type: "button" }, t(key));
    made.onclick = () => attempt(work, refusal, made);
    return made;
  };
  const learn = own >= 0 && el(isLost && isFirst ? "a.button.primary" : "a.button", { href: mistakesPath(id, game) }, t("mistakes.learn"));
  return el("div.go-on", { "data-state": `${isSeated} ${isBetween} ${isFirst} ${rematch}` },
    rematch && el("p", { role: "status" }, t("end.next_table")),
    el("div.hand",
      isLost && learn,
      isBetween && isSeated && button("end.next_game", () => clientOf(id).next()),
      isFirst && button("end.again", () => wishRematch(id, true)),
      rematch && el("a.button.primary", { href: tablePath(rematch) }, t("end.to_next_table")),
      !isLost && learn,
      el("a.button", { href: replayPath(id, game) }, t("end.look_back")),
      el("a.button", { href: reviewPath(id, game) }, t("review.look")),
      clientOf(id).isShared && shareButton(id, game, refusal),
      recordLink(id, deal.game)));
}

/** Suggests another level under the same rules. @param {Table} table @param {Pick<You, "seats">} you */
async function suggestion({ dynasty, rules, seats }, { seats: own }) {
  const others = seats.flatMap(({ seat, bot }) => (own.includes(seat) ? [] : [bot ?? ""]));
  if (own.length !== 1) return null;
  const { games } = await lastGames();
  return suggestionLine(games, (bot) => startGame({ ...rules, dynasty }, bot, seats[own[0]].name), others);
}

/** Whether the deck was honest, with an explanation of how this browser knows. @param {Table} table @param {DeckRevealed} deal */
function honesty(table, deal) {
  const verdict = el("p", { role: "status" });
  const why = el("p");
  const details = el("div.how", { id: "deal-how" }, why, el("p.label", t("table.commitment"), " ", fingerprint(deal.commitment)));
  const ask = el("button.link", { type: "button", "aria-controls": "deal-how" }, t("end.deal_how"));
  const show = (/** @type {boolean} */ isShown) => {
    details.hidden = !isShown;
    ask.ariaExpanded = String(isShown);
  };
  ask.onclick = () => {
    show(details.hidden);
    if (!details.hidden) details.scrollIntoView({ block: "nearest" });
  };
  show(false);
  const { digests = [], nonces = [] } = deal.proof ?? {};
  const missing = digests.filter((digest, seat) => digest && !nonces[seat]).length;
  attempt(async () => {
    const found = await checkDeal(table, deal);
    const kind = found === "holds" ? "fits" : found.startsWith("other") ? "misfit" : "unsure";
    verdict.className = kind;
    verdict.replaceChildren(...(kind === "fits" ? [icon("check")] : []), t(`end.deal_${kind}`));
    why.textContent = t(`end.deal_${found}`, { decks: 2 ** missing });
    if (kind === "misfit") show(true);
  }, verdict);
  return el("section.deal", { "aria-label": t("end.deal") }, verdict, ask, details);
}

/* the games of a Dynasty */

/** A row per seat and a column per game; the rows appear when the events have loaded. @param {FinishedTable} table */
function dynastyTable(table) {
  const { game, games, dynasty } = table;
  const head = (/** @type {string} */ words) => el("th", { scope: "col" }, words);
  const columns = Array.from({ length: game }, (_, at) => head(t("end.game_n", { game: at + 1 })));
  const body = el("tbody");
  const element = el("table", { class: "totals" },
    el("caption", t(game < games ? "end.dynasty_so_far" : "end.dynasty_over", { game, games })),
    el("thead", el("tr", el("td"), ...columns, head(t(`common.dynasty_${dynasty}`)))), body);
  finishedGames(table).then((all) => body.append(...dynastyRows(table, all)), () => element.remove());
  return element;
}

/** @param {FinishedTable} table */
async function finishedGames({ id, game, finished }) {
  if (game === 1) return [finished];
  return (await clientOf(id).events()).filter((event) => event.kind === "finished");
}

/** The rows, most points first. @param {FinishedTable} table @param {Finished[]} games */
function dynastyRows(table, games) {
  const points = table.seats.map((_, seat) => games.map(({ scores }) => scores[seat].total));
  const totals = table.finished.totals ?? [];
  const order = [...table.seats.keys()].sort((one, other) => totals[other] - totals[one]);
  return order.map((seat) => {
    const name = el("span.who", seal(seat), el("span.name", ...fullName(table, seat)));
    const cells = [...points[seat], el("b", totals[seat])].map((cell) => el("td", cell));
    return el(`tr.seat-${SEATS[seat]}`, el("th", { scope: "row" }, name), ...cells);
  });
}

/* a kingdom and its score */

/** A kingdom to count; `count` adds a part of its score. @param {FinishedTable} table @param {number} seat */
function kingdomToCount(table, seat) {
  const kingdom = kingdomPicture(table, seat);
  const drawn = new Promise((resolve) => kingdom.addEventListener("drawn", resolve, { once: true }));
  const score = el("span.score", "0");
  const bonuses = el("p.bonuses");
  const name = nameOf(table, seat);
  const lost = table.kingdoms[seat].discarded.length;
  let sum = 0;
  return {
    element: el(`section.mine.sheet.seat-${SEATS[seat]}`, { "aria-label": name },
      el("div.who",
        seal(seat), el("span.name", ...fullName(table, seat)),
        lost > 0 && el("small", t("end.discarded", { n: lost })), score),
      kingdom, bonuses),
    /** @param {Part} part */
    count(part) {
      sum += part.points;
      score.textContent = String(sum);
      if ("bonus" in part) {
        bonuses.append(el("span", t(`common.${part.bonus}`), " ", el("b", `+${part.points}`)));
      } else {
        drawn.then(() => kingdom.highlight(part.squares, countLabel(part)));
      }
    },
  };
}

/** The same kingdom, completely counted. @param {FinishedTable} table @param {number} seat */
function countedKingdom(table, seat) {
  const kingdom = kingdomToCount(table, seat);
  for (const part of countingOrder(table, seat)) kingdom.count(part);
  return kingdom.element;
}

/** The territories, most points last, then the bonuses. @param {FinishedTable} table @param {number} seat */
function countingOrder(table, seat) {
  const { territories, bonuses } = scoreParts(table.finished.scores[seat]);
  return [...territories.reverse(), ...bonuses];
}

/** @param {Table} table @param {number} seat */
function kingdomPicture(table, seat) {
  const kingdom = new Kingdom();
  const label = t("end.kingdom_of", { who: nameOf(table, seat) });
  const { squares, dominoes } = table.kingdoms[seat];
  kingdom.show({ size: table.rules.size, seat, frame: "window", squares, dominoes, label });
  return kingdom;
}

/** A score part by part, in figures and in words. @param {FinishedTable} table @param {number} seat */
function scoreBreakdown(table, seat) {
  const { territories, bonuses } = scoreParts(table.finished.scores[seat]);
  const rows = territories.map((part) => territoryRow(part));
  if (bonuses.length) {
    const points = bonuses.map((part) => part.points);
    rows.push(el("li.bonus",
      list(bonuses.map(({ bonus }) => t(`common.${bonus}`))),
      el("span.figures", points.length > 1 && points.join(" + ")),
      el("b", points.reduce((sum, one) => sum + one))));
  }
  return el("ul.terr", ...rows);
}

/** The label of a territory; without two squares side by side there is room only for the points. @param {Territory} part */
function countLabel(part) {
  const { squares, points } = part;
  const isRoomy = squares.some(([x, y]) => squares.some(([right, same]) => right === x + 1 && same === y));
  return isRoomy ? `${figures(part)} = ${points}` : String(points);
}
