/**
 * Scoring from a photograph, `/photo`: take or choose a picture, put four corners on the kingdom, and the engine reads
 * it. Every square can be put right. The kingdom then goes to the score sheet. Nothing leaves the device.
 */
import { artReady, endName, group, icon, mostCrowns, seal, SEATS, squareMarkup, svg, terrainWord, use } from "../draw/art.js";
import { choice } from "../draw/controls.js";
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { clearFaultMarks, markFault } from "../draw/fault-marks.js";
import { Kingdom } from "../draw/kingdom.js";
import { TERRAINS } from "../draw/painter.js";
import { engine } from "../engine/study.js";
import { t, wordsReady } from "../i18n/locale.js";
import { pathTo } from "../net/address.js";
import { errorText, start } from "../net/api.js";
import { keepWork, keptWork } from "../photo/kept.js";
import { centred, cutOut, isCommon, pictureNow, pictureOf, pieceOf, wholeOf } from "../photo/picture.js";
import { Shot } from "../photo/shot.js";
import { keepExamples, keptExamples } from "../photo/taught.js";
import { countedRows, scoresOf } from "../score/counted.js";
import { doubtText } from "../score/result.js";
import { emptySheet, keepSheet, keptSheet, MOST_PLAYERS, squaresOf, withLand, withPlayer } from "../score/sheet.js";
import { myName } from "./begin.js";

/**
 * @import { Reading } from "../../engine/calls.js"
 * @import { Corners } from "../photo/picture.js"
 * @import { Sheet } from "../score/sheet.js"
 * @typedef {"start" | "camera" | "corners" | "read"} Stage
 */

const CASTLE = "C";
const EMPTY = ".";
/** The size of the frame, as a part of the shorter side of the camera's view. */
const GUIDE = 0.86;
const SIZES = /** @type {const} */ ([5, 7]);

const root = find(document, ".photo");
const [headline, next] = [find(root, "h1"), find(root, ".head p")];
const [view, mine, counted, ask, caption, check] = [".view", ".mine", ".counted", ".ask", ".caption", ".check"].map((selector) => find(root, selector));
const video = find(root, "video", HTMLVideoElement);
const guide = find(root, ".guide", SVGElement);
const kingdom = find(root, ".mine kd-kingdom", Kingdom);
const refused = byId("refused");
const shot = new Shot(find(root, ".shot"));

const kept = keptSheet();
const before = kept.sheet ?? emptySheet([myName() ?? ""]);
const isNext = new URLSearchParams(location.search).has("next");
let sheet = isNext ? atNext(before) : before;
/** @type {Stage} */
let stage = "start";
/** @type {HTMLCanvasElement | null} */
let picture = null;
/** What lies on each square, row by row: `w1`, `C`, `.`. @type {string[]} */
let contents = [];
/** @type {Reading["squares"]} */
let read = [];
/** Squares that the person has confirmed or corrected. @type {Set<number>} */
let checked = new Set();
/** The square in question; -1: none. */
let asked = -1;
let isOpen = false;
/** Whether the corners probably lie on a kingdom: the engine found them, or the person put them there. */
let isPlaced = false;
/** The corners and the size of the last reading. */
let readFrom = "";
/** Counts what makes a search or a reading out of date. */
let turn = 0;

/** The sheet with the next kingdom to be read: the first that is empty, or another player's. @param {Sheet} old @returns {Sheet} */
function atNext(old) {
  const free = old.games[old.game].findIndex((land) => !squaresOf(land).length);
  if (free >= 0) return { ...old, seat: free };
  return old.names.length < MOST_PLAYERS ? withPlayer(old) : old;
}

/** Whether the sheet has other kingdoms, which give the size. */
const isSized = () => sheet.games.some((lands, game) =>
  lands.some((land, seat) => (game !== sheet.game || seat !== sheet.seat) && squaresOf(land).length > 0));

const name = () => sheet.names[sheet.seat] || t(`analysis.seat_${sheet.seat}`);

/** @param {string} key @param {() => unknown} work @param {{primary?: boolean, symbol?: string, then?: string}} [looks] */
const button = (key, work, { primary = false, symbol = "", then = "" } = {}) => el(primary ? "button.button.primary" : "button.button", {
  type: "button", "data-key": key, onclick: () => work(),
}, symbol && icon(symbol), t(key), then && icon(then));

/** @param {string} head @param {string} [below] */
function say(head, below = "") {
  if (headline.textContent !== head) headline.textContent = head;
  next.textContent = below;
}

/** @param {Stage} to */
function go(to) {
  stage = to;
  turn += 1;
  refused.textContent = "";
  root.className = `photo at-${to}`;
  view.hidden = to !== "start" && to !== "camera";
  video.hidden = to !== "camera";
  guide.toggleAttribute("hidden", video.hidden);
  mine.hidden = counted.hidden = to !== "read";
  shot.place.hidden = to !== "corners" && to !== "read";
  shot.canMove = to === "corners";
  if (to !== "camera") closeCamera();
  draw();
  headline.focus();
}

function draw() {
  if (stage === "start") drawStart();
  else if (stage === "camera") drawCamera();
  else if (stage === "corners") drawCorners();
  else drawReading();
}

// A picture

const chooser = el("input", { type: "file", "aria-hidden": "true" });
chooser.accept = "image/*";
chooser.hidden = true;
chooser.onchange = () => choose(chooser.files?.[0]);

function drawStart() {
  say(t("photo.start_head", { name: name() }), t("photo.start_next"));
  view.replaceChildren(video, guide, icon("camera"));
  replaceContent(ask, el("p.label", el("span.drop", `${t("photo.drop")} `), t("photo.stays")), el("div.bar2", chooser,
    button("photo.choose", () => chooser.click()), button("photo.open_camera", openCamera, { primary: true, symbol: "camera" })));
}

/** @param {Blob | null | undefined} file */
async function choose(file) {
  chooser.value = "";
  if (!file) return;
  const now = (turn += 1);
  const opened = await pictureOf(file).catch(() => null);
  if (turn !== now) return;
  if (opened) return show(opened);
  const isDamaged = await isCommon(file).catch(() => false);
  if (turn === now) refused.textContent = t(isDamaged ? "photo.damaged" : "photo.unreadable");
}

/** Puts the corners on a picture. Without corners it looks for the kingdom. @param {HTMLCanvasElement} opened @param {Corners} [corners] */
function show(opened, corners) {
  picture = opened;
  shot.mark([], -1);
  isPlaced = corners !== undefined;
  readFrom = "";
  shot.show(opened, corners ?? centred(opened, 0.8), sheet.size);
  go("corners");
  if (!corners) look(opened);
}

/** Puts the corners on the kingdom if it is found, unless someone does something first. @param {HTMLCanvasElement} opened */
async function look(opened) {
  const now = turn;
  const { pixels, scale } = wholeOf(opened);
  for (const size of isSized() ? [sheet.size] : SIZES) {
    const found = await engine.ask("find_photo", { pixels, size, taught: keptExamples() }).catch(() => null);
    if (turn !== now) return;
    if (!found) continue;
    sheet = { ...sheet, size };
    isPlaced = true;
    shot.show(opened, /** @type {Corners} */ (found.map(([x, y]) => [x / scale, y / scale])), size);
    draw();
    return;
  }
}

for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") choose(event.dataTransfer.files[0]);
  });
}
addEventListener("paste", (event) => choose([...event.clipboardData?.files ?? []].find(({ type }) => type.startsWith("image/"))));

// The camera

async function openCamera() {
  if (!navigator.mediaDevices) { // as without a secure connection
    chooser.setAttribute("capture", "environment");
    chooser.click();
    chooser.removeAttribute("capture");
    return;
  }
  const now = (turn += 1);
  refused.textContent = "";
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1920 } },
    });
    if (turn !== now) return stream.getTracks().forEach((track) => track.stop());
    video.srcObject = stream;
    await video.play();
    go("camera");
  } catch (error) {
    const why = error instanceof DOMException ? error.name : "";
    const key = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "no_camera" }[why] ?? "camera_failed";
    refused.textContent = t(`photo.${key}`);
  }
}

function closeCamera() {
  if (!(video.srcObject instanceof MediaStream)) return;
  for (const track of video.srcObject.getTracks()) track.stop();
  video.srcObject = null;
}
addEventListener("pagehide", closeCamera);

function drawCamera() {
  const { videoWidth: width, videoHeight: height } = video;
  say(t("photo.camera_head", { name: name() }), t("photo.start_next"));
  view.replaceChildren(video, guide);
  guide.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const line = centred({ width, height }, GUIDE).map(([x, y]) => `${x} ${y}`).join("L");
  guide.innerHTML = `<path d="M${line}Z" stroke-width="${width / 120}"/>`;
  replaceContent(ask, el("div.bar2", button("photo.choose", () => chooser.click()), chooser,
    button("photo.take", () => show(pictureNow(video), centred({ width: video.videoWidth, height: video.videoHeight }, GUIDE)),
      { primary: true, symbol: "camera" })));
}

// The corners

shot.on("move", () => {
  turn += 1;
  isPlaced = true;
  const reader = ask.querySelector("[data-key='photo.read']");
  if (reader instanceof HTMLButtonElement) reader.disabled = false;
});

function drawCorners() {
  shot.mark([], -1);
  say(t("photo.corners_head", { name: name() }), t("photo.corners_next"));
  const reader = button("photo.read", readIt, { primary: true, then: "next" });
  reader.disabled = !isPlaced;
  replaceContent(ask,
    !isSized() && el("div.size", el("h2", t("photo.how_large")), choice("size", SIZES.map((size) => [size, `${size}×${size}`]), sheet.size, (size) => {
      turn += 1;
      sheet = { ...sheet, size };
      if (picture) shot.show(picture, shot.corners, size);
    })),
    el("p.label", isSized() ? t("photo.stays") : `${t("photo.size_why")} ${t("photo.stays")}`),
    el("div.bar2", button("photo.again", () => go("start"), { symbol: "camera" }), reader));
}

/** @param {HTMLCanvasElement} from @param {Corners} corners @param {number} size */
async function readAt(from, corners, size) {
  return engine.ask("read_photo", { ...cutOut(from, corners, size), size, taught: keptExamples() });
}

async function readIt() {
  const now = (turn += 1);
  if (!picture) return;
  const from = JSON.stringify([shot.corners, sheet.size]);
  if (from === readFrom) return go("read"); // corrections stay
  say(t("photo.reading"));
  try {
    const reading = await readAt(picture, shot.corners, sheet.size);
    if (turn !== now) return;
    const isSeen = reading.squares.some((square) => endOf(square.content) && !square.is_doubtful);
    const castles = reading.squares.filter(({ content }) => content === CASTLE).length;
    if (reading.problem || !isSeen || castles !== 1) lack(reading.problem);
    else showReading(reading.squares, from);
  } catch (error) {
    if (turn !== now) return;
    drawCorners();
    refused.textContent = errorText(error);
  }
}

/** Reports that the picture has nothing to read. @param {string | null} problem */
function lack(problem) {
  const why = { too_dark: "too_dark", too_small: "too_small", corners: "corners_crossed" }[problem ?? ""];
  say(t("photo.nothing"), t(why ? `photo.${why}` : "photo.nothing_next"));
  replaceContent(find(ask, ".bar2"),
    button("photo.another", () => go("start"), { symbol: "camera" }),
    button("photo.by_hand", enterByHand),
    button("photo.read", readIt, { primary: true, then: "next" }));
  headline.focus();
}

// The reading

/** @param {typeof read} squares @param {string} from */
function showReading(squares, from) {
  readFrom = from;
  read = squares;
  contents = read.map(({ content }) => content);
  checked = new Set();
  asked = nextDoubt();
  isOpen = false;
  go("read");
}

/** Begins with only a castle: the squares entered here teach the engine how this box looks. */
function enterByHand() {
  const squares = sheet.size ** 2;
  showReading(Array.from({ length: squares }, (_, square) => ({
    content: square === (squares - 1) / 2 ? CASTLE : EMPTY, probability: 0, others: /** @type {[string, string]} */ ([EMPTY, EMPTY]), is_doubtful: false,
  })), JSON.stringify([shot.corners, sheet.size]));
}

const isDoubtful = (/** @type {number} */ square) => read[square].is_doubtful && !checked.has(square);
const doubts = () => contents.map((_, square) => square).filter(isDoubtful);
const nextDoubt = () => doubts()[0] ?? -1;
const castleAt = () => contents.indexOf(CASTLE);

/** A terrain with its crowns; null for the castle and the table. @param {string} content */
function endOf(content) {
  const terrain = TERRAINS.find((one) => one[0] === content[0]);
  return terrain ? { terrain, crowns: Number(content.slice(1)) } : null;
}

/** `mine, 1 crown`. @param {string} content */
function named(content) {
  const end = endOf(content);
  return end ? endName(end) : content === CASTLE ? terrainWord("castle") : t("kingdom.empty");
}

/** `Is this a mine with one crown?` @param {string} content */
function question(content) {
  const end = endOf(content);
  if (!end) return t(content === CASTLE ? "photo.is_castle" : "photo.is_empty");
  return t(end.crowns ? "photo.is_crowned" : "photo.is_bare", { what: t(`photo.a_${end.terrain}`), n: end.crowns });
}

/** `column 4, row 5; 1 of 2` of those to check. @param {number} square */
function whereText(square) {
  const [all, { size }] = [doubts(), sheet];
  const at = 1 + all.indexOf(square);
  return t(at && all.length > 1 ? "photo.where_of" : "photo.where", {
    column: (square % size) + 1, row: Math.floor(square / size) + 1, at, n: all.length,
  });
}

/** Where a square lies, seen from the castle. @param {number} square @returns {[number, number]} */
function placeOf(square) {
  const [castle, { size }] = [castleAt(), sheet];
  return [(square % size) - (castle % size), Math.floor(castle / size) - Math.floor(square / size)];
}

/** The kingdom as read. */
const land = () => ({
  dominoes: [], isDone: true,
  squares: contents.flatMap((content, square) => {
    const [end, [x, y]] = [endOf(content), placeOf(square)];
    return end ? [{ x, y, ...end }] : [];
  }),
});

function drawReading() {
  const { seat, size } = sheet;
  const [wrong, squares] = [doubts().length, land().squares.length];
  const sure = squares - doubts().filter((square) => endOf(contents[square])).length;
  const head = wrong ? t("photo.to_check", { n: sure, doubtful: wrong }) : t("photo.sure", { n: squares });
  say(squares ? head : t("photo.by_hand"), t("photo.put_right"));
  mine.className = `mine sheet seat-${SEATS[seat]}`;
  const who = find(mine, ".who");
  who.firstElementChild?.replaceWith(seal(seat));
  find(who, ".name").textContent = name();
  const missing = size ** 2 - 1 - squares;
  find(who, "small").textContent = missing ? t("photo.empty", { n: missing }) : "";
  const [left, top] = placeOf(0);
  kingdom.show({
    size, seat, dominoes: [], squares: land().squares, label: t("table.kingdom_of", { name: name() }),
    frame: { left, top, right: left + size - 1, bottom: top - size + 1, columns: size, rows: size },
  });
  shot.mark(doubts(), asked);
  mark();
  drawCheck();
  replaceContent(ask, el("div.bar2", button("photo.corners", () => go("corners"), { symbol: "next" }), button("photo.right", confirm, { primary: true, symbol: "check" })));
  count();
}

const marks = group("checks");

/** Frames the doubtful squares and the square in question. */
function mark() {
  if (stage !== "read" || !kingdom.isDrawn) return;
  marks.innerHTML = [...new Set([...doubts(), asked])].filter((square) => square >= 0).map((square) => {
    const [x, y] = kingdom.corner(...placeOf(square));
    return ["halo", square === asked ? "asked" : "doubtful"].map((kind) =>
      `<rect class="${kind}" x="${x - 2}" y="${y - 2}" width="104" height="104" rx="26"/>`).join("");
  }).join("");
  kingdom.marks.append(marks);
}
kingdom.addEventListener("drawn", mark);

/** @param {string} content */
function drawingOf(content) {
  const end = endOf(content);
  return svg("0 0 100 100", end ? squareMarkup(end, 1, 0, 0) : content === CASTLE ? use("castle", 0, 0, 100, 100, ' class="seat"') : use("square-empty"));
}

/** @param {string} content */
const guess = (content) => el("button.guess", {
  type: "button", "data-key": content, "aria-pressed": String(content === contents[asked]), onclick: () => put(content),
}, drawingOf(content), el(isOpen ? "span.visually-hidden" : "span", named(content)));

function drawCheck() {
  check.hidden = asked < 0;
  if (asked < 0 || !picture) return;
  const { size } = sheet;
  const piece = pieceOf(picture, shot.corners, size, asked);
  piece.setAttribute("aria-hidden", "true");
  const { content, others } = read[asked];
  const isCastle = contents[asked] === CASTLE;
  const all = [...TERRAINS.flatMap((terrain) => Array.from({ length: mostCrowns(terrain) + 1 }, (_, crowns) => terrain[0] + (crowns || ""))), EMPTY, CASTLE];
  const guesses = isCastle ? [CASTLE] : [...new Set([contents[asked], content, ...others])].slice(0, 3);
  check.className = isOpen ? "check open" : "check";
  check.replaceChildren(
    el("div.ask1", el("div.crop", piece), el("p", el("b", question(contents[asked])), el("small", isCastle ? t("photo.castle_moves") : whereText(asked)))),
    el("div.guesses", ...(isOpen ? all : guesses).map(guess), !isOpen && !isCastle && el("button.guess.other", {
      type: "button", onclick: () => { isOpen = true; drawCheck(); find(check, ".guess").focus(); },
    }, svg("0 0 100 100", '<text x="50" y="58" text-anchor="middle" font-size="40">…</text>'), el("span", t("photo.else")))));
}

/** Names the content of the square in question. @param {string} content */
function put(content) {
  const castle = castleAt();
  if (content === CASTLE && castle !== asked) contents = contents.with(castle, EMPTY);
  contents = contents.with(asked, content);
  checked.add(asked);
  asked = nextDoubt();
  isOpen = false;
  drawReading();
  if (asked >= 0) find(check, ".guess").focus();
  else find(ask, ".primary").focus();
}

/** Asks about a square. @param {number} column @param {number} row */
function tap(column, row) {
  const { size } = sheet;
  if (stage !== "read" || column < 0 || row < 0 || column >= size || row >= size) return;
  asked = row * size + column;
  isOpen = read[asked].probability === 0;
  drawReading();
}

/** Closes the palette, then the question. @param {KeyboardEvent} event */
function close(event) {
  if (event.key !== "Escape" || asked < 0 || event.defaultPrevented) return;
  event.preventDefault();
  if (isOpen && read[asked].probability > 0) {
    isOpen = false;
    drawCheck();
    find(check, ".guess").focus();
    return;
  }
  asked = -1;
  isOpen = false;
  drawReading();
  kingdom.focus();
}
mine.addEventListener("keydown", close);

kingdom.onWalk = () => {};
kingdom.addEventListener("click", ({ clientX, clientY }) => {
  const { x, y } = kingdom.placeAt(clientX, clientY);
  tap(Math.round(x) - kingdom.bounds.left, kingdom.bounds.top - Math.round(y));
});
kingdom.addEventListener("keydown", (event) => {
  const at = event.target instanceof HTMLElement ? event.target.dataset : {};
  if ((event.key !== "Enter" && event.key !== " ") || at.x === undefined) return;
  event.preventDefault();
  tap(Number(at.x) - kingdom.bounds.left, kingdom.bounds.top - Number(at.y));
  check.querySelector("button")?.focus();
});

async function count() {
  const now = turn;
  const [of, own] = [sheet, land()];
  const lands = of.games[of.game].with(of.seat, own);
  try {
    const { kingdoms } = await scoresOf(of, lands);
    if (turn !== now || JSON.stringify(own) !== JSON.stringify(land())) return;
    const scored = kingdoms[of.seat];
    find(mine, ".score b").textContent = String(scored.score.total);
    replaceContent(find(counted, ".terr"), ...countedRows(of, scored));
    caption.textContent = scored.doubts.map(doubtText)[0] ?? "";
    clearFaultMarks(kingdom);
    for (const [at, { squares }] of scored.doubts.entries()) for (const square of squares) markFault(kingdom, square, at + 1);
    if (scored.doubts.length && !doubts().length && own.squares.length) say(t("photo.cannot_be"), t("photo.put_right"));
  } catch (error) {
    refused.textContent = errorText(error);
  }
}

/** Puts the kingdom on the sheet, learns from the corrections, and goes to the scorer. */
async function confirm() {
  const isCorrected = contents.some((content, square) => content !== read[square].content);
  if (isCorrected && picture) {
    const examples = engine.ask("teach_photo", { ...cutOut(picture, shot.corners, sheet.size), size: sheet.size, squares: contents, taught: keptExamples() });
    await examples.then(keepExamples, () => {}); // the kingdom counts in any case
  }
  const { sheet: latest, past } = keptSheet(); // another tab may have added a kingdom
  const under = latest ?? before;
  const onto = isNext ? atNext(under) : { ...under, seat: Math.min(sheet.seat, under.names.length - 1) };
  keepSheet(withLand({ ...onto, size: sheet.size, how: "squares" }, land()), latest ? [...past, latest] : past);
  picture = null;
  location.assign(pathTo("/score"));
}

// A reload

/** Stores the work when the browser may close the page without notice. */
function keep() {
  const isWork = picture && (stage === "corners" || stage === "read");
  keepWork(isWork && picture ? {
    picture, stage: stage === "read" ? stage : "corners", corners: shot.corners, size: sheet.size, isPlaced, read, contents, checked: [...checked], readFrom,
  } : null, location.search);
}
document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); });
addEventListener("pagehide", keep);

async function restore() {
  const work = await keptWork(location.search);
  if (!work) return go("start");
  ({ picture, isPlaced, read, contents, readFrom } = work);
  checked = new Set(work.checked);
  sheet = { ...sheet, size: work.size };
  asked = work.stage === "read" ? nextDoubt() : -1;
  shot.show(work.picture, work.corners, work.size);
  go(work.stage);
}

view.onclick = () => { if (stage === "start") openCamera(); };

await start(Promise.all([artReady, wordsReady]));
await restore();
document.addEventListener("language", draw);
