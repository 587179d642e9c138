/**
 * The lesson: seven small steps on a real kingdom, with a guide who explains them. It runs without the
 * server: lesson.js has the legal placements and their points.
 */
import { artReady, dominoName, dominoSvg, king, seal } from "../draw/art.js";
import { byId, el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { delay, duration } from "../draw/motion.js";
import { t, wordsReady } from "../i18n/locale.js";
import { bots, botsReady } from "../i18n/names.js";
import { attempt, start } from "../net/api.js";
import { Placing } from "../table/placing.js";
import { BEST_CLAIM, KINGDOM, LINE, STEPS, TERRITORIES, TOTAL } from "./lesson.js";
import { startGame } from "./begin.js";
import { DEFAULT_RULES } from "./rules-sets.js";

/**
 * @import { Params } from "../i18n/locale.js"
 * @import { DominoChoices } from "../table/placing.js"
 */

const ME = 0;
const GUIDE = 1;
const FINGER = matchMedia("(pointer: coarse)");

const kingdom = byId("kingdom", Kingdom);
const [turn, flip, place] = ["turn", "flip", "place"].map((id) => byId(id, HTMLButtonElement));
const placing = new Placing(kingdom, { caption: byId("caption"), buttons: { turn, flip, place } });

/** The number of the step, from 0. */
let current = 0;
const step = () => STEPS[current];

/** Shows the guide's words. @param {string} key @param {Params} [params] */
function say(key, params) {
  byId("why").textContent = t(`learn.${key}`, params);
}

/** Shows one of the parts under the kingdom, or none. @param {string} shown */
function showPart(shown) {
  for (const part of ["hand", "line", "answers", "end"]) byId(part).hidden = part !== shown;
  byId("caption").hidden = shown !== "hand";
  byId("onward").hidden = true;
}

/** Ends a step: the guide says why that was good, and offers the next step. @param {string} key */
function done(key, shown = "") {
  say(key);
  byId("hint").textContent = "";
  showPart(shown);
  byId("onward").hidden = false;
  byId("next").focus({ preventScroll: true });
}

function begin() {
  const { key, placed, score, choices } = step();
  placing.stop();
  kingdom.clearHighlights();
  kingdom.show({ dominoes: KINGDOM.slice(0, placed) });
  byId("score").textContent = String(score);
  byId("progress").textContent = t("learn.progress", { n: current + 1, total: STEPS.length });
  for (const [n, pip] of [...byId("pips").children].entries()) {
    pip.className = n < current ? "on" : n === current ? "at" : "";
  }
  byId("what").textContent = t(`learn.${key}_what`);
  say(`${key}_why`);
  byId("hint").textContent = current ? "" : t(FINGER.matches ? "learn.hint_finger" : "learn.hint_mouse");
  showPart(choices ? "hand" : key === "claim" ? "line" : "answers");
  if (choices) showDomino(choices);
  else if (key === "claim") showLine();
  else showAnswers();
  if (current) byId("what").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/* placing */

/** @param {DominoChoices} choices */
function showDomino(choices) {
  const { domino, placements } = choices;
  const fits = placements.length > 0;
  byId("domino").replaceChildren(dominoSvg(domino));
  byId("domino").ariaLabel = dominoName(domino);
  place.textContent = t(fits ? "learn.place" : "learn.discard");
  turn.hidden = flip.hidden = !fits;
  placing.start(choices);
  if (!fits) place.ariaDisabled = null;
}

placing.on("place", ({ points, entry }) => {
  const { key, best, score, choices } = step();
  if (choices && best && points !== best) {
    say(`${key}_again`, { points, best });
    placing.start(choices);
    return;
  }
  kingdom.addDomino(entry);
  byId("score").textContent = String(score + points);
  done(`${key}_done`);
});

place.addEventListener("click", () => {
  if (step().key !== "discard") return;
  placing.stop();
  done("discard_done");
});
byId("domino").onpointerdown = (event) => {
  placing.drag(event, step().choices?.domino);
};

/* claiming */

function showLine() {
  byId("line").replaceChildren(...LINE.map(({ domino, points, seat }) => {
    const face = el("span.domino", dominoSvg(domino));
    const free = points < 0 ? "learn.fits_not" : "learn.fits";
    const note = t(seat === null ? free : "learn.taken", { points });
    const words = [el("b", domino), face, el("small", note)];
    const label = `${dominoName(domino)}. ${note}`;
    return el("li", seat === null
      ? el("button", { type: "button", "aria-label": label, onclick: () => claim(domino) }, ...words)
      : el("div.taken", { role: "img", "aria-label": label }, ...words, king(seat)));
  }));
}

/** @param {number} domino */
function claim(domino) {
  if (domino !== BEST_CLAIM) return say(`claim_${domino}`);
  byId("line").children[LINE.findIndex((each) => each.domino === BEST_CLAIM)].append(king(ME));
  for (const button of byId("line").querySelectorAll("button")) button.disabled = true;
  done("claim_done", "line");
}

/* counting */

function showAnswers() {
  const { squares, crowns } = TERRITORIES[0];
  const [n, product] = [squares.length, squares.length * crowns];
  kingdom.highlight(squares, `${n} × ${crowns} = ?`);
  byId("answers").replaceChildren(...[n + crowns, product, n].map((answer) => el("button.button", {
    type: "button", onclick: () => (answer === product ? count() : say("count_again")),
  }, answer)));
}

/** Highlights one territory after the other, and shows the total. */
async function count() {
  say("count_done", { total: TOTAL });
  showPart("end");
  byId("play").focus({ preventScroll: true });
  kingdom.clearHighlights();
  for (const { squares, crowns } of TERRITORIES) {
    kingdom.highlight(squares, `${squares.length} × ${crowns} = ${squares.length * crowns}`);
    await delay(duration("--settle"));
  }
}

byId("next").onclick = () => {
  current += 1;
  begin();
};
const playButton = byId("play", HTMLButtonElement);
playButton.onclick = () => attempt(async () => {
  await botsReady;
  await startGame(DEFAULT_RULES, bots[0].bot);
}, byId("refused"), playButton);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

await start(Promise.all([wordsReady, artReady]));
byId("guide").prepend(king(GUIDE));
byId("who").prepend(seal(ME));
byId("pips").append(...STEPS.map(() => el("i")));
kingdom.show({ size: 5, seat: ME, frame: "reach", label: t("learn.kingdom") });
begin();
