/**
 * Two quiet sounds, off by default: a knock when a domino is placed, and a bell when your turn begins while the page is
 * hidden.
 */
import { loadSetting } from "../net/storage.js";

/** @type {AudioContext | null} */
let context = null;

const isSoundOn = () => loadSetting("sound") === true;

/** Starts audio, which browsers allow only after a person touches the page. */
function wake() {
  if (!isSoundOn()) return;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume();
}
for (const touch of ["pointerup", "keydown"]) addEventListener(touch, wake, { capture: true });

/**
 * A tone that fades out.
 * @param {OscillatorType} type
 * @param {number} pitch in hertz
 * @param {number} length in seconds
 * @param {number} volume from 0 to 1
 */
function tone(type, pitch, length, volume) {
  if (!isSoundOn()) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const source = new OscillatorNode(context, { type, frequency: pitch });
  const gain = new GainNode(context, { gain: volume });
  gain.gain.exponentialRampToValueAtTime(0.0001, now + length);
  source.frequency.exponentialRampToValueAtTime(pitch * 0.8, now + length);
  source.connect(gain).connect(context.destination);
  source.start(now);
  source.stop(now + length);
}

export function playKnock() {
  tone("triangle", 190, 0.09, 0.5);
  tone("sine", 820, 0.03, 0.12);
}

export function playBell() {
  tone("sine", 1320, 1.2, 0.12);
  tone("sine", 1760, 0.8, 0.06);
}
