/**
 * A picture with the outline of a kingdom on it. Drag its corners, or move them with the arrow keys; while one moves, a
 * lens in the farthest corner shows what is under it.
 */
import { svg } from "../draw/art.js";
import { el, Emitter } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { projection } from "./picture.js";

/**
 * @import { Corners, Point } from "./picture.js"
 *
 * @typedef {object} ShotEvents
 * @property {Corners} move the corners, which someone holds or has moved
 */

const LENS = 116;
const MAGNIFIED = 3;
/** @type {Partial<Record<string, Point>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @extends {Emitter<ShotEvents>} */
export class Shot extends Emitter {
  /** @type {HTMLCanvasElement | null} */
  #picture = null;
  /** @type {Corners} */
  #corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
  #size = 5;
  /** The squares to check and the square in question, by index. @type {{doubtful: readonly number[], asked: number}} */
  #marks = { doubtful: [], asked: -1 };
  #lines = svg("0 0 1 1", "");
  #lens = el("canvas.lens", { width: LENS, height: LENS, "aria-hidden": "true" });
  #handles = [0, 1, 2, 3].map((at) => el("button.handle", {
    type: "button", onkeydown: (event) => this.#key(at, event), onpointerdown: (event) => this.#press(at, event),
    onpointermove: (event) => this.#drag(at, event), onpointerup: () => this.#drop(), onpointercancel: () => this.#drop(),
    onblur: () => { if (this.#held === at) this.#drop(); },
  }));
  /** The corner in the hand; -1: none. */
  #held = -1;

  /** @param {HTMLElement} place */
  constructor(place) {
    super();
    this.place = place;
    this.#lens.hidden = true;
  }

  get corners() {
    return this.#corners;
  }

  /** @param {HTMLCanvasElement} picture @param {Corners} corners @param {number} size */
  show(picture, corners, size) {
    if (this.#picture !== picture) {
      this.#picture = picture;
      picture.setAttribute("aria-hidden", "true");
      this.place.style.aspectRatio = `${picture.width} / ${picture.height}`;
      this.place.style.setProperty("--shape", String(picture.width / picture.height));
      this.#lines.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
      this.place.replaceChildren(picture, this.#lines, ...this.#handles, this.#lens);
    }
    this.place.hidden = false;
    this.#corners = corners;
    this.#size = size;
    this.#draw();
  }

  /** Whether corners can be moved. @param {boolean} canMove */
  set canMove(canMove) {
    for (const handle of this.#handles) handle.hidden = !canMove;
  }

  /** @param {readonly number[]} doubtful @param {number} asked */
  mark(doubtful, asked) {
    this.#marks = { doubtful, asked };
    this.#draw();
  }

  #draw() {
    const picture = this.#picture;
    if (!picture) return;
    const [size, at] = [this.#size, projection(this.#corners)];
    const unit = picture.width / (this.place.clientWidth || picture.width); // a pixel of the screen
    const line = (/** @type {Point[]} */ points) => points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    let grid = "";
    for (let step = 1; step < size; step += 1) {
      const part = step / size;
      grid += `M${line([at(part, 0), at(part, 1)])}M${line([at(0, part), at(1, part)])}`;
    }
    const box = `M${line(this.#corners)}Z`;
    const rings = [...new Set([...this.#marks.doubtful, this.#marks.asked])].filter((square) => square >= 0).map((square) => {
      const [u, v] = [(square % size) + 0.5, Math.floor(square / size) + 0.5];
      const [x, y] = at(u / size, v / size);
      const [right, low] = [at((u + 0.4) / size, v / size), at(u / size, (v + 0.4) / size)];
      const [rx, ry] = [Math.hypot(right[0] - x, right[1] - y), Math.hypot(low[0] - x, low[1] - y)];
      return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"${square === this.#marks.asked ? ' class="asked"' : ""}/>`;
    });
    this.#lines.innerHTML = `<path class="grid" d="${grid}" stroke-width="${unit}"/><path class="halo" d="${box}" stroke-width="${4 * unit}"/>`
      + `<path class="box" d="${box}" stroke-width="${2 * unit}"/><g stroke-width="${2.5 * unit}" stroke-dasharray="${6 * unit} ${4 * unit}">${rings.join("")}</g>`;
    for (const [index, handle] of this.#handles.entries()) {
      const [x, y] = this.#corners[index];
      handle.style.left = `${(100 * x) / picture.width}%`;
      handle.style.top = `${(100 * y) / picture.height}%`;
      handle.ariaLabel = `${t(`photo.corner_${index}`)}: ${Math.round(x)}, ${Math.round(y)}. ${t("photo.corner_help")}`;
    }
    this.#drawLens();
  }

  // Moving a corner

  /** @param {number} index @param {number} x @param {number} y */
  #move(index, x, y) {
    const picture = this.#picture;
    if (!picture) return;
    const point = /** @type {Point} */ ([Math.min(Math.max(x, 0), picture.width), Math.min(Math.max(y, 0), picture.height)]);
    this.#corners = /** @type {Corners} */ (this.#corners.with(index, point));
    this.#held = index;
    this.#draw();
    this.emit("move", this.#corners);
  }

  /** @param {number} index @param {KeyboardEvent} event */
  #key(index, event) {
    const step = ARROWS[event.key];
    const picture = this.#picture;
    if (!step || !picture || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = this.#corners[index];
    const far = (event.shiftKey ? 10 : 1) * Math.max(1, picture.width / this.place.clientWidth); // pixels of the screen
    this.#move(index, x + far * step[0], y + far * step[1]);
  }

  /** Where the finger took the handle, from its middle. @type {Point} */
  #grip = [0, 0];

  /** @param {number} index @param {PointerEvent} event */
  #press(index, event) {
    if (event.button || !event.isPrimary) return;
    this.#handles[index].setPointerCapture(event.pointerId);
    const [x, y] = this.#at(event);
    this.#grip = [this.#corners[index][0] - x, this.#corners[index][1] - y];
    this.#move(index, ...this.#corners[index]); // from now on nothing else moves it
  }

  /** @param {number} index @param {PointerEvent} event */
  #drag(index, event) {
    if (this.#held !== index || !this.#handles[index].hasPointerCapture(event.pointerId)) return;
    const [x, y] = this.#at(event);
    this.#move(index, x + this.#grip[0], y + this.#grip[1]);
  }

  #drop() {
    this.#held = -1;
    this.#drawLens();
  }

  /** The pixel of the picture under a pointer. @param {PointerEvent} event @returns {Point} */
  #at({ clientX, clientY }) {
    const { left, top, width } = this.place.getBoundingClientRect();
    const scale = (this.#picture?.width ?? 1) / width;
    return [(clientX - left) * scale, (clientY - top) * scale];
  }

  #drawLens() {
    const picture = this.#picture;
    this.#lens.hidden = this.#held < 0 || !picture;
    const context = this.#lens.getContext("2d");
    if (this.#lens.hidden || !picture || !context) return;
    const [x, y] = this.#corners[this.#held];
    this.#lens.classList.toggle("right", x < picture.width / 2);
    this.#lens.classList.toggle("low", y < picture.height / 2);
    const scale = (MAGNIFIED * this.place.clientWidth) / picture.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#000";
    context.fillRect(0, 0, LENS, LENS);
    context.setTransform(scale, 0, 0, scale, LENS / 2 - x * scale, LENS / 2 - y * scale);
    context.drawImage(picture, 0, 0);
    context.beginPath();
    for (const [px, py] of this.#corners) context.lineTo(px, py);
    context.closePath();
    context.lineWidth = 2 / scale;
    context.strokeStyle = "#fff8ea";
    context.stroke();
    context.setTransform(1, 0, 0, 1, LENS / 2, LENS / 2);
    context.lineWidth = 2;
    context.stroke(new Path2D("M-14 0h28M0 -14v28"));
  }
}
