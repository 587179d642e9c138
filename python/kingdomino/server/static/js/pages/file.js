/**
 * A file with records, chosen or dropped on the page: shows its contents, to watch them or to import them.
 */
import { el, Emitter, find, replaceContent } from "../draw/dom.js";
import { ask, EngineRefusal } from "../engine/engine.js";
import { opponents, resultSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { namesOf } from "../i18n/names.js";
import { recordText } from "../i18n/record-text.js";
import { chunks } from "../local/games.js";
import { readRecords } from "../local/import.js";
import { takeTable } from "../local/store.js";
import { attempt, errorText, isOffline, post, RequestError } from "../net/api.js";
import { joinDynasties, splitRecords } from "../net/pasted.js";
import { smallKingdom } from "./game-rows.js";
import { variantNames } from "../i18n/rules-text.js";
import { watchRecord } from "./watched.js";

/**
 * @import { Played } from "../net/types.js"
 * @typedef {{seat?: number | null}} Seat yours; null: none; missing: as in the record
 */

const FIRST_LINE = "kingdomino-record 1";
const LARGEST = 20; // megabytes
/** Milliseconds before repeating a request after a rate limit. */
const PAUSE = 2000;

/** @extends {Emitter<{kept: undefined}>} */
export class RecordFile extends Emitter {
  /** The number of changes of the content. An answer to an earlier one is too late. */
  #shown = 0;

  /** @param {HTMLElement} place for the file @param {HTMLElement} refused for errors */
  constructor(place, refused) {
    super();
    this.place = place;
    this.refused = refused;
  }

  /** Opens files dropped anywhere on the page. */
  acceptDrops() {
    const hasFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", ({ relatedTarget }) => {
      if (!relatedTarget) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      this.open(file);
    });
  }

  /** Shows the contents of a file, or its fault. @param {File} file */
  async open(file) {
    this.#close();
    const now = this.#shown;
    if (file.size > LARGEST * 1_000_000) return this.#refuse(t("games.too_large", { size: LARGEST }));
    const text = await file.text().catch(() => null);
    if (now !== this.#shown) return;
    if (text === null) return this.#refuse(t("games.unreadable"));
    const records = joinDynasties(splitRecords(text));
    if (!records.length) return this.#refuse(t("games.not_record", { start: FIRST_LINE }));
    try {
      const { game } = await read(records[0]);
      if (now === this.#shown) this.#show(file.name, records, game);
    } catch (error) {
      if (now === this.#shown) this.#refuseRecord(error, records, 0);
    }
  }

  /** @param {string} name @param {string[]} records @param {Played} game the first */
  #show(name, records, game) {
    const isOne = records.length === 1;
    const keep = el("button.button.primary", { type: "button" }, t(isOne ? "games.keep" : "games.keep_all"));
    keep.onclick = () => attempt(() =>
      this.#keep(records, isOne ? { seat: chosenSeat(this.place) } : {}, keep), this.refused, keep);
    const watch = el("button.button", { type: "button", onclick: () => watchRecord(records[0]) }, t("games.watch"));
    const cancel = el("button.button.bare", { type: "button", onclick: () => this.#leave() }, t("games.cancel"));
    const facts = [...opponents(game), ...variantNames(game.rules)];
    replaceContent(this.place,
      smallKingdom(game),
      el("div",
        el("h2", { id: "file-head" }, isOne ? resultSentence(game) : t("games.file_many", { n: records.length })),
        el("p.label", [name, ...(isOne ? facts : [])].join(" · ")),
        isOne && seatChoice(game),
        el("div.acts", keep, isOne && watch, cancel)));
    this.place.hidden = false;
    this.place.focus();
    this.place.scrollIntoView({ block: "nearest" });
  }

  /** @param {string[]} records @param {Seat} seat @param {HTMLElement} button shows the progress */
  async #keep(records, seat, button) {
    const now = this.#shown;
    let [done, added] = [0, 0];
    const isWanted = () => now === this.#shown;
    for (const chunk of chunks(records, (record) => record)) {
      if (chunk.length < records.length) button.textContent = t("games.keeping", { done, n: records.length });
      try {
        const kept = await patiently(() => keepRecords(chunk, seat), isWanted);
        added += kept?.added ?? 0;
      } catch (error) {
        const game = error instanceof RequestError ? error.game : error instanceof BadGame ? error.game : null;
        if (game == null) throw error;
        if (added) this.emit("kept", undefined);
        if (!isWanted()) return;
        this.#leave();
        return this.#refuseRecord(error instanceof BadGame ? error.cause : error, records, done + game - 1);
      }
      if (!isWanted()) break;
      done += chunk.length;
    }
    this.emit("kept", undefined);
    if (!isWanted()) return;
    this.#leave();
    const known = done - added;
    this.refused.className = "done";
    this.refused.textContent = [added && t("games.added", { n: added }), known && t("games.known", { n: known })]
      .filter(Boolean).join(" ");
  }

  #close() {
    this.#shown += 1;
    this.place.hidden = true;
    this.#refuse("");
  }

  /** Closes it, and moves the focus to a place that stays. */
  #leave() {
    const { activeElement } = document;
    this.#close();
    // A disabled button has already lost the focus.
    if (activeElement === document.body || this.place.contains(activeElement)) find(document, "h1").focus();
  }

  /** @param {string} words */
  #refuse(words) {
    this.refused.className = "refusal";
    this.refused.textContent = words;
    if (words) this.refused.scrollIntoView({ block: "nearest" }); // the file button may be far below
  }

  /** Shows the fault of one of the records. @param {unknown} error @param {string[]} records @param {number} at */
  #refuseRecord(error, records, at) {
    const isBad = error instanceof EngineRefusal || (error instanceof RequestError && error.code === "bad_record");
    if (!isBad) return this.#refuse(errorText(error));
    const which = records.length > 1 ? t("games.bad_game", { game: at + 1 }) : t("games.bad_file");
    return this.#refuse(`${which} ${recordText(error, records[at])}`);
  }
}

/** @param {string[]} records @param {Seat} seat */
async function keepRecords(records, seat) {
  try {
    return await post("/api/me/games", {}, { records: records.map((text) => ({ text, ...seat })) });
  } catch (error) {
    if (!isOffline(error)) throw error;
    return { added: await keepHere(records, seat) };
  }
}

/** Stores records on this device, all or none, and returns the number of new ones. @param {string[]} records @param {Seat} seat */
async function keepHere(records, seat) {
  const rows = [];
  for (const [at, record] of records.entries()) {
    const { row } = await read(record, seat).catch((cause) => { throw cause instanceof EngineRefusal ? new BadGame(at + 1, cause) : cause; });
    rows.push(row);
  }
  let added = 0;
  for (const row of rows) added += Number(await takeTable(row));
  return added;
}

/** The engine refuses a record. */
class BadGame extends Error {
  /** @param {number} game its number @param {EngineRefusal} cause */
  constructor(game, cause) {
    super(cause.message, { cause });
    this.game = game;
  }
}

/** @param {string} text @param {Seat} [seat] */
const read = (text, seat) => readRecords(ask, text, seat);

/**
 * Repeats work while the rate limit refuses it; null if it is no longer wanted.
 * @template T @param {() => Promise<T>} work @param {() => boolean} isWanted @returns {Promise<T | null>}
 */
async function patiently(work, isWanted) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "too_often") throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (!isWanted()) return null;
    }
  }
}

/** Asks which seat was yours. @param {Played} game */
function seatChoice({ players, seats }) {
  const radio = (/** @type {number | ""} */ seat, /** @type {string} */ words) => el("label",
    el("input", { type: "radio", name: "seat", value: seat, checked: seat === (seats[0] ?? "") }), el("span", words));
  return el("fieldset", el("legend", t("games.which_seat")), el("div.seg.many",
    ...namesOf(players).map((name, seat) => radio(seat, name)), radio("", t("games.none_of_these"))));
}

/** @param {HTMLElement} place */
function chosenSeat(place) {
  const chosen = place.querySelector("[name=seat]:checked");
  return chosen instanceof HTMLInputElement && chosen.value ? Number(chosen.value) : null;
}
