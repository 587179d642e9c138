/**
 * Describes the fault of a record, and its place.
 */
import { isJson } from "../net/pasted.js";
import { hasWords, list, t } from "./locale.js";

/**
 * @typedef {{code: string, domino?: number | null, width?: number | null, height?: number | null, square?: readonly number[] | null}} Why
 * @typedef {{code: string, dominoes?: readonly number[], expected?: number | null, found?: number | null, seat?: number | null}} Fault
 * @typedef {{faults: readonly Fault[], why?: Why | null, number?: number | null, message: string}} Refused by the server or the engine
 */

/** The unit of places in a record: lines of text or events of JSON. @param {string} record */
const unitOf = (record) => (isJson(record) ? "event" : "line");

/** One sentence; the server's or the engine's own for faults without words. @param {Refused} error @param {string} record that was refused */
export function recordText({ faults: [fault], why, number, message }, record) {
  const key = why ? `record.why_${why.code}` : `record.${fault?.code}`;
  if (!fault || !hasWords(key)) return message;
  const { dominoes = [], expected, found, seat } = fault;
  const words = t(key, {
    expected: expected ?? 0, found: found ?? 0, n: found ?? dominoes.length, seat: seat ?? 0, dominoes: list(dominoes.map(String)),
    domino: why?.domino ?? 0, wide: why?.width ?? 0, tall: why?.height ?? 0, square: why?.square?.join(", ") ?? "",
  });
  return number == null ? words : t(`record.in_${unitOf(record)}`, { number, words });
}
