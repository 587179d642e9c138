/**
 * The way to the server: JSON there and back, and a refusal that can be explained.
 */
import { has, t } from "./words.js";

/** What the server said no to: `status` (0: it was not reached), `code`, and what else it told. */
export class Refused extends Error {
  code = "unknown";

  /** @param {number} status @param {{code?: string, reason?: string}} told */
  constructor(status, told) {
    super(told.reason);
    Object.assign(this, { status, ...told });
  }
}

/** @param {string} method @param {string} path @param {unknown} [body] */
async function call(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
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

/** Why it did not work: in the language spoken now, or in the server's English for a code without words. @param {any} error */
export function explain(error) {
  const key = `common.refused_${error.code}`;
  return has(key) ? t(key) : error.message || t("common.refused_unknown");
}

/**
 * Does what may be refused. Its button rests meanwhile, and goes on resting when it has worked: then another
 * page comes, or what it did is drawn. If it has not, `place` says why.
 * @param {() => Promise<unknown>} work
 * @param {Element} place
 * @param {HTMLButtonElement} [button]
 */
export async function attempt(work, place, button) {
  if (button?.disabled) return;
  if (button) button.disabled = true;
  place.textContent = "";
  try {
    await work();
  } catch (error) {
    place.textContent = explain(error);
    if (button) button.disabled = false;
  }
}
