/**
 * A list of finished games, newest first: the server's, page by page, and the games that only this device has.
 */

/** @import { Played, PlayedGames } from "../net/types.js" */

/** The number of games in a page, the same as the server's. */
const PAGE = 50;

export class GameList {
  /** The games so far. @type {Played[]} */
  games = [];
  /** @type {Played[]} */
  #here;
  /** Loaded games of the server still to be listed, after newer ones of this device. @type {Played[]} */
  #theirs;
  /** @type {string | null} */
  #next;
  #readOn;

  /**
   * @param {readonly Played[]} here games of this device
   * @param {PlayedGames} theirs the first page of the server's
   * @param {(before: string) => Promise<PlayedGames>} readOn reads the next page
   */
  constructor(here, theirs, readOn) {
    this.total = here.length + theirs.total;
    this.#here = [...here].sort((one, other) => other.ended - one.ended);
    this.#theirs = [...theirs.games];
    this.#next = theirs.next;
    this.#readOn = readOn;
  }

  /** Whether the list has all games. */
  get isWhole() {
    return !this.#here.length && !this.#theirs.length && this.#next === null;
  }

  /** Adds the next games. A failure leaves the list unchanged. @param {number} [n] at most a page */
  async more(n = PAGE) {
    if (this.#theirs.length < n && this.#next !== null) {
      const page = await this.#readOn(this.#next);
      this.#theirs.push(...page.games);
      this.#next = page.next;
    }
    for (let added = 0; added < n && this.#here.length + this.#theirs.length; added += 1) {
      const isHere = (this.#here[0]?.ended ?? -Infinity) > (this.#theirs[0]?.ended ?? -Infinity);
      this.games.push(.../** @type {Played[]} */ (isHere ? this.#here : this.#theirs).splice(0, 1));
    }
  }
}
