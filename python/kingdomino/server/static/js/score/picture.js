/**
 * A picture of all kingdoms with their points, to share. The page draws it, without a server.
 */
import { SEATS } from "../draw/art.js";
import { KingdomMap, kingdomMarkup } from "../draw/kingdom-map.js";
import { token } from "../draw/motion.js";

/**
 * @import { Painted } from "../draw/painter.js"
 * @typedef {{name: string, seat: number, total: number, squares: Painted[], size: number}} Pictured
 */

const [SIDE, GAP, HEAD, LINE] = [560, 48, 64, 44]; // pixels
/** The page's styles for the parts of a kingdom. */
const STYLE = "<style>.letter,.veil{display:none}.seam{fill:none;stroke:#2c1f16;stroke-linecap:round}</style>";

/** @param {Pictured[]} kingdoms @param {string} sentence @returns {Promise<File>} */
export async function pictureOf(kingdoms, sentence) {
  await document.fonts.ready;
  const columns = Math.min(kingdoms.length, 2);
  const width = columns * (SIDE + GAP) + GAP;
  const canvas = Object.assign(document.createElement("canvas"), { width, height: 1 });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const serif = token("--serif");
  const sentenceFont = `600 32px ${serif}`;
  pen.font = sentenceFont;
  const lines = wrapped(sentence, width - 2 * GAP, pen);
  const top = GAP + lines.length * LINE;
  canvas.height = top + Math.ceil(kingdoms.length / columns) * (HEAD + SIDE + GAP);
  pen.fillStyle = token("--parchment");
  pen.fillRect(0, 0, width, canvas.height);
  pen.fillStyle = token("--ink");
  pen.font = sentenceFont;
  lines.forEach((line, at) => pen.fillText(line, GAP, GAP + 16 + at * LINE));
  for (const [at, kingdom] of kingdoms.entries()) {
    const [x, y] = [GAP + (at % columns) * (SIDE + GAP), top + Math.floor(at / columns) * (HEAD + SIDE + GAP)];
    pen.font = `700 36px ${serif}`;
    pen.textAlign = "right";
    pen.fillText(String(kingdom.total), x + SIDE, y + 36);
    pen.textAlign = "left";
    pen.fillText(kingdom.name, x, y + 36, SIDE - 120);
    pen.drawImage(await drawn(kingdom), x, y + HEAD, SIDE, SIDE);
  }
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  return new File([blob], "kingdomino-score.png", { type: "image/png" });
}

/** @param {string} sentence @param {number} width @param {CanvasRenderingContext2D} pen */
function wrapped(sentence, width, pen) {
  /** @type {string[]} */
  const lines = [];
  for (const word of sentence.split(" ").filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A kingdom as an image, which has its symbols in itself. @param {Pictured} kingdom */
async function drawn({ squares, size, seat }) {
  const map = new KingdomMap([], squares);
  const frame = map.frame("window", Math.max(size, map.box.columns, map.box.rows));
  const markup = kingdomMarkup(map, frame, { empty: false, plain: false });
  const symbols = [...new Set([...markup.matchAll(/href="#([\w-]+)"/g)].map(([, name]) => name))]
    .map((name) => new XMLSerializer().serializeToString(/** @type {Element} */ (document.getElementById(name))));
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" color="${token(`--${SEATS[seat]}`)}" ` +
    `viewBox="-4 -4 ${frame.columns * 100 + 8} ${frame.rows * 100 + 8}">${STYLE}${symbols.join("")}${markup}</svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
