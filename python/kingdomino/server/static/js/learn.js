/**
 * The lesson: seven small steps on a real kingdom, with somebody who says why. Entirely in the browser: where
 * dominoes may lie and what they bring is written down in lesson.js.
 */
import { attempt, get } from "./api.js";
import { dominoName, dominoSvg, drawable, king, seal } from "./art.js";
import { byId, h } from "./h.js";
import "./kingdom.js";
import { duration } from "./motion.js";
import { KINGDOM, LINE, STEPS, TERRITORIES, TOTAL, WANTED } from "./lesson.js";
import { PLAIN } from "./options.js";
import { Placing } from "./placing.js";
import { start } from "./start.js";
import { ready, t } from "./words.js";

const ME = 0;
const GUIDE = 1;
const FINGER = matchMedia("(pointer: coarse)");

const kingdom = byId("kingdom");
const [caption, turn, flip, place] = ["caption", "turn", "flip", "place"].map(byId);
const placing = new Placing(kingdom, { caption, buttons: { turn, flip, place } });

/** Which step it is, from 0. */
let at = 0;
const step = () => /** @type {any} */ (STEPS[at]);

/** What the guide says. @param {string} key @param {Record<string, any>} [params] */
function say(key, params) {
  byId("why").textContent = t(`learn.${key}`, params);
}

/** Shows one of the parts under the kingdom, or none. @param {string} [shown] */
function under(shown) {
  for (const part of ["hand", "line", "answers", "end"]) byId(part).hidden = part !== shown;
  byId("caption").hidden = shown !== "hand";
  byId("onward").hidden = true;
}

/** The step is done: the guide says why that was good, and the way on is open. @param {string} key */
function done(key, shown = "") {
  say(key);
  byId("hint").textContent = "";
  under(shown);
  byId("onward").hidden = false;
  byId("next").focus({ preventScroll: true });
}

function begin() {
  const { key, laid, score, choices } = step();
  placing.stop();
  kingdom.dark();
  kingdom.dominoes = KINGDOM.slice(0, laid);
  byId("score").textContent = score;
  byId("progress").textContent = t("learn.progress", { n: at + 1, total: STEPS.length });
  for (const [n, pip] of [...byId("pips").children].entries()) {
    pip.className = n < at ? "on" : n === at ? "at" : "";
  }
  byId("what").textContent = t(`learn.${key}_what`);
  say(`${key}_why`);
  byId("hint").textContent = at ? "" : t(FINGER.matches ? "learn.hint_finger" : "learn.hint_mouse");
  under(choices ? "hand" : key === "claim" ? "line" : "answers");
  if (choices) showDomino(choices);
  else if (key === "claim") showLine();
  else showAnswers();
  if (at) byId("what").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/* placing */

/** @param {any} choices */
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

placing.addEventListener("place", (/** @type {any} */ { detail: { points, entry } }) => {
  const { key, best, score, choices } = step();
  if (best && points !== best) {
    say(`${key}_again`, { points, best });
    placing.start(choices);
    return;
  }
  kingdom.land(entry);
  byId("score").textContent = score + points;
  done(`${key}_done`);
});

place.addEventListener("click", () => {
  if (step().key !== "discard") return;
  placing.stop();
  done("discard_done");
});
byId("domino").onpointerdown = (/** @type {PointerEvent} */ event) => {
  placing.drag(event, step().choices.domino);
};

/* claiming */

function showLine() {
  byId("line").replaceChildren(...LINE.map(({ domino, points, seat }) => {
    const face = h("span.domino", dominoSvg(domino));
    const free = points < 0 ? "learn.fits_not" : "learn.fits";
    const note = t(seat === null ? free : "learn.taken", { points });
    const words = [h("b", domino), face, h("small", note)];
    const label = `${dominoName(domino)}. ${note}`;
    return h("li", seat === null
      ? h("button", { type: "button", "aria-label": label, onclick: () => claim(domino) }, ...words)
      : h("div.taken", { role: "img", "aria-label": label }, ...words, king(seat)));
  }));
}

/** @param {number} domino */
function claim(domino) {
  if (domino !== WANTED) return say(`claim_${domino}`);
  byId("line").children[LINE.findIndex((each) => each.domino === WANTED)].append(king(ME));
  for (const button of byId("line").querySelectorAll("button")) button.disabled = true;
  done("claim_done", "line");
}

/* counting */

function showAnswers() {
  const { squares, crowns } = TERRITORIES[0];
  const [n, product] = [squares.length, squares.length * crowns];
  kingdom.light(squares, `${n} × ${crowns} = ?`);
  byId("answers").replaceChildren(...[n + crowns, product, n].map((answer) => h("button.button", {
    type: "button", onclick: () => (answer === product ? count() : say("count_again")),
  }, answer)));
}

/** Lights one territory after the other, and says the sum. */
async function count() {
  say("count_done", { total: TOTAL });
  under("end");
  byId("play").focus({ preventScroll: true });
  kingdom.dark();
  for (const { squares, crowns } of TERRITORIES) {
    kingdom.light(squares, `${squares.length} × ${crowns} = ${squares.length * crowns}`);
    await new Promise((resolve) => setTimeout(resolve, duration("--settle")));
  }
}

byId("next").onclick = () => {
  at += 1;
  begin();
};
byId("play").onclick = () => attempt(async () => {
  const [me, bots] = await Promise.all([get("/api/me"), get("/api/bots")]);
  await start(PLAIN, bots[0].bot, me.name);
}, byId("refused"), byId("play"));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

await Promise.all([ready, drawable]);
byId("guide").prepend(king(GUIDE));
byId("who").prepend(seal(ME));
byId("pips").append(...STEPS.map(() => h("i")));
Object.assign(kingdom, { size: 5, seat: ME, frame: "reach", label: t("learn.kingdom") });
begin();
