/**
 * The visible form of a commitment: its first and last digits.
 */
import { el } from "./dom.js";

/** @param {string} commitment 64 hex digits */
export const fingerprint = (commitment) =>
  el("code.fingerprint", { title: commitment }, `${commitment.slice(0, 6)}…${commitment.slice(-6)}`);
