/**
 * Pictures as canvases: from a file or the camera, and the part of them that the engine reads.
 */

/**
 * @import { Pixels } from "../../engine/calls.js"
 * @typedef {[number, number]} Point in pixels from the top left
 * @typedef {[Point, Point, Point, Point]} Corners of a kingdom: top left, top right, bottom right, bottom left
 */

/** The most pixels of a stored picture, and its longest side: a narrow picture stays readable. */
const MOST_PIXELS = 2048 ** 2;
const LONGEST = 8192;
/** How many pixels the engine gets for the side of a square. */
const SQUARE = 48;
/** The shorter side of a picture in which the engine looks for a kingdom, in pixels. */
const LOOKED_AT = 480;
/** The margin around the kingdom, in parts of its extent. */
const MARGIN = 0.12;

/**
 * Opens a file. Rejects if the browser cannot decode it.
 * @param {Blob} file
 */
export async function pictureOf(file) {
  const bitmap = await createImageBitmap(file);
  const picture = drawn(bitmap, bitmap.width, bitmap.height);
  bitmap.close();
  return picture;
}

/** The first bytes of the formats that every browser opens: JPEG, PNG and WebP. */
const BEGINNINGS = ["\xff\xd8\xff", "\x89PNG", "RIFF"];

/** Whether a file is a picture in such a format. @param {Blob} file */
export async function isCommon(file) {
  const beginning = String.fromCharCode(...new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  return BEGINNINGS.some((one) => beginning.startsWith(one));
}

/** The camera's current picture. @param {HTMLVideoElement} video */
export const pictureNow = (video) => drawn(video, video.videoWidth, video.videoHeight);

/** @param {CanvasImageSource} source @param {number} width @param {number} height */
function drawn(source, width, height) {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)), LONGEST / Math.max(width, height));
  const [canvas, context] = blank(width * scale, height * scale);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** @param {number} width @param {number} height @returns {[HTMLCanvasElement, CanvasRenderingContext2D]} */
function blank(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser draws no canvas");
  context.imageSmoothingQuality = "high";
  return [canvas, context];
}

/**
 * A square in the middle of a picture. @param {{width: number, height: number}} picture @param {number} part of its shorter side
 * @returns {Corners}
 */
export function centred({ width, height }, part) {
  const half = (part * Math.min(width, height)) / 2;
  const [left, right, top, bottom] = [width / 2 - half, width / 2 + half, height / 2 - half, height / 2 + half];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/**
 * Maps the unit square to four corners as a camera sees it.
 * Source: Paul Heckbert, "Fundamentals of texture mapping and image warping", 1989, section 2.2.3.
 * @param {Corners} corners
 * @returns {(u: number, v: number) => Point}
 */
export function projection([[ax, ay], [bx, by], [cx, cy], [dx, dy]]) {
  const [sumX, sumY] = [ax - bx + cx - dx, ay - by + cy - dy];
  const [rightX, rightY, lowX, lowY] = [bx - cx, by - cy, dx - cx, dy - cy];
  const determinant = rightX * lowY - rightY * lowX;
  const g = (sumX * lowY - sumY * lowX) / determinant;
  const h = (rightX * sumY - rightY * sumX) / determinant;
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return [((bx - ax + g * bx) * u + (dx - ax + h * dx) * v + ax) / depth, ((by - ay + g * by) * u + (dy - ay + h * dy) * v + ay) / depth];
  };
}

/**
 * The part of a picture around these points, of at most these many pixels for each of its own.
 * @param {HTMLCanvasElement} picture
 * @param {readonly Point[]} points
 * @param {number} scale
 * @param {number} margin in parts of the extent
 */
function around(picture, points, scale, margin) {
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [wide, tall] = [across, down].map((all) => margin * (Math.max(...all) - Math.min(...all)));
  const left = Math.max(0, Math.min(...across) - wide);
  const top = Math.max(0, Math.min(...down) - tall);
  const width = Math.min(picture.width, Math.max(...across) + wide) - left;
  const height = Math.min(picture.height, Math.max(...down) + tall) - top;
  const [canvas, context] = blank(width * scale, height * scale);
  context.drawImage(picture, left, top, Math.max(1, width), Math.max(1, height), 0, 0, canvas.width, canvas.height);
  return { canvas, context, left, top };
}

/**
 * The pixels for the engine: the kingdom and a margin.
 * @param {HTMLCanvasElement} picture
 * @param {Corners} corners
 * @param {number} size
 * @returns {{pixels: Pixels, corners: Corners}}
 */
export function cutOut(picture, corners, size) {
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = corners;
  const extent = Math.sqrt(Math.abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2);
  const scale = Math.min(1, (SQUARE * size) / Math.max(1, extent));
  const { canvas, context, left, top } = around(picture, corners, scale, MARGIN);
  return {
    pixels: pixelsOf(canvas, context),
    corners: /** @type {Corners} */ (corners.map(([x, y]) => [(x - left) * scale, (y - top) * scale])),
  };
}

/** A whole picture, scaled down for finding a kingdom, and the scale. @param {HTMLCanvasElement} picture */
export function wholeOf(picture) {
  const scale = Math.min(1, LOOKED_AT / Math.min(picture.width, picture.height));
  const [canvas, context] = blank(picture.width * scale, picture.height * scale);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return { pixels: pixelsOf(canvas, context), scale };
}

/**
 * The piece of a picture with one square. @param {HTMLCanvasElement} picture @param {Corners} corners @param {number} size
 * @param {number} square its index, row by row
 */
export function pieceOf(picture, corners, size, square) {
  const at = projection(corners);
  const [column, row] = [square % size, Math.floor(square / size)];
  const points = /** @type {const} */ ([[0, 0], [1, 0], [1, 1], [0, 1]]).map(([x, y]) => at((column + x) / size, (row + y) / size));
  return around(picture, points, 1, 0).canvas;
}

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2D} context @returns {Pixels} */
function pixelsOf({ width, height }, context) {
  return { width, height, rgba: base64(context.getImageData(0, 0, width, height).data) };
}

/** @param {Uint8ClampedArray} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
