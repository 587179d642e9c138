/**
 * Two quiet sounds, made here and off at first: wood on wood when a domino lands, and a small bell when it is
 * one's turn while the page is out of sight.
 */
const STORED = "kingdomino.sound";

/** @type {AudioContext | null} */
let room = null;

/** Whether sounds are wanted. */
export function sounding() {
  try {
    return localStorage.getItem(STORED) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
export function setSound(on) {
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    return;
  }
  if (on) knock();
}

/**
 * A tone that dies away.
 * @param {OscillatorType} type
 * @param {number} pitch in hertz
 * @param {number} lasting in seconds
 * @param {number} loud from 0 to 1
 */
function tone(type, pitch, lasting, loud) {
  if (!sounding()) return;
  room ??= new AudioContext();
  const now = room.currentTime;
  const source = new OscillatorNode(room, { type, frequency: pitch });
  const volume = new GainNode(room, { gain: loud });
  volume.gain.exponentialRampToValueAtTime(0.0001, now + lasting);
  source.frequency.exponentialRampToValueAtTime(pitch * 0.8, now + lasting);
  source.connect(volume).connect(room.destination);
  source.start(now);
  source.stop(now + lasting);
}

export function knock() {
  tone("triangle", 190, 0.09, 0.5);
  tone("sine", 820, 0.03, 0.12);
}

export function bell() {
  tone("sine", 1320, 1.2, 0.12);
  tone("sine", 1760, 0.8, 0.06);
}
