/**
 * The way to the server: JSON there and back, and a refusal that can be explained. Imports words.js.
 */
import { has, t } from "./words.js";

/** What the server said no to: `status` (0: it was not reached), `code`, `reason`, and what else it told. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, reason?: string}} body
   */
  constructor(status, body) {
    super(body.reason ?? `status ${status}`);
    this.status = status;
    this.code = "unknown";
    this.reason = this.message;
    Object.assign(this, body);
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function call(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: sent });
  } catch {
    throw new Refused(0, { code: "offline" });
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, told);
  return told;
}

/** @param {string} path */
export const get = (path) => call("GET", path);
/** @param {string} path @param {unknown} [body] */
export const post = (path, body = {}) => call("POST", path, body);
/** @param {string} path @param {unknown} body */
export const put = (path, body) => call("PUT", path, body);

/**
 * Why it did not work, as a sentence in the language spoken now.
 * @param {unknown} error
 */
export function explain(error) {
  const key = `common.refused_${error instanceof Refused ? error.code : "unknown"}`;
  return t(has(key) ? key : "common.refused_unknown");
}
