/**
 * Requests to the server. Paths, bodies and answers have the types of the OpenAPI document.
 */
import { el } from "../draw/dom.js";
import { hasWords, t, wordsReady } from "../i18n/locale.js";
import { NO_SERVER, pathTo } from "./address.js";

/** @import { Paths, RefusalBody } from "./types.js" */

/**
 * The paths that have a method.
 * @template {"get" | "put" | "post" | "delete"} M
 * @typedef {{[P in keyof Paths]: M extends keyof Paths[P] ? P : never}[keyof Paths]} PathOf
 */
/**
 * What a path answers when it succeeds.
 * @template {"get" | "put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {Paths[P] extends {[_ in M]: {answer: infer A}} ? A : never} Answer
 */
/**
 * The body that a path takes; none if it takes none.
 * @template {"put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {Paths[P] extends {[_ in M]: {body: infer B}} ? B : Record<string, never>} Body
 */
/** @typedef {Record<string, string | number>} Params for the braces in a path; the others are its query */

/** Milliseconds after which the server counts as not reached. */
const LONGEST = 20_000;
/** What waits for a thread that thinks, however long others are ahead. */
const THINKS = /\/(hint|cost)$/;

/** The server refused a request, or was not reached. */
export class RequestError extends Error {
  /** @param {number} status 0 if the server was not reached @param {Partial<RefusalBody>} refusal */
  constructor(status, refusal) {
    super(refusal.reason);
    this.status = status;
    this.code = refusal.code ?? "unknown";
    this.table = refusal.table;
    this.game = refusal.game;
    this.field = refusal.field;
    this.number = refusal.number;
    this.why = refusal.why;
    this.faults = refusal.faults ?? [];
  }
}

/** @param {string} path @param {Params} params */
function urlOf(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, String(value));
    else query.set(name, String(value));
  }
  return pathTo(query.size ? `${path}?${query}` : path);
}

/** @param {string} method @param {string} path @param {Params} params @param {unknown} [body] */
async function request(method, path, params, body) {
  const headers = { "Content-Type": "application/json" };
  const signal = THINKS.test(path) ? null : AbortSignal.timeout(LONGEST);
  const offline = new RequestError(0, { code: "offline" });
  let response, answer;
  try {
    response = await fetch(urlOf(path, params), { method, headers, signal, body: JSON.stringify(body) });
    answer = await response.json();
  } catch (error) {
    if (!response || !(error instanceof SyntaxError)) throw offline;
    answer = {};
  }
  if (NO_SERVER.includes(response.status) && !answer.code) throw offline; // a refusal of the server's own has a code
  if (!response.ok) throw new RequestError(response.status, answer);
  return answer;
}

/**
 * @template {PathOf<"get">} P
 * @param {P} path
 * @param {Params} [params]
 * @returns {Promise<Answer<"get", P>>}
 */
export const get = (path, params = {}) => request("GET", path, params);

/**
 * @template {PathOf<"post">} P
 * @param {P} path
 * @param {Params} params
 * @param {Body<"post", P>} body
 * @returns {Promise<Answer<"post", P>>}
 */
export const post = (path, params, body) => request("POST", path, params, body);

/**
 * @template {PathOf<"put">} P
 * @param {P} path
 * @param {Body<"put", P>} body
 * @returns {Promise<Answer<"put", P>>}
 */
export const put = (path, body) => request("PUT", path, {}, body);

/**
 * @template {PathOf<"delete">} P
 * @param {P} path
 * @param {Params} [params]
 */
export const remove = (path, params = {}) => request("DELETE", path, params);

/** Whether a private link gives no seat any more. @param {unknown} error */
export const isUsedLink = (error) => error instanceof RequestError && error.code === "wrong_secret";

/** Why it failed, in the current language; the server's sentence for a code without words. @param {unknown} error */
export function errorText(error) {
  if (error instanceof RequestError) {
    const isName = error.code === "bad_field" && error.field?.split(".").at(-1) === "name";
    const key = `common.refused_${isName ? "bad_name" : error.code}`;
    if (hasWords(key)) return t(key);
  }
  return (error instanceof Error && error.message) || t("common.refused_unknown");
}

/**
 * Does what may be refused. Its button is disabled meanwhile, and stays so if it succeeds: then another page
 * comes or the result is drawn. If it fails, `status` says why.
 * @param {() => Promise<unknown>} work
 * @param {Element} status
 * @param {HTMLButtonElement | null} [button]
 * @returns {Promise<boolean>} whether it was done
 */
export async function attempt(work, status, button) {
  if (button?.disabled) return false;
  if (button) button.disabled = true;
  status.textContent = "";
  try {
    await work();
    return true;
  } catch (error) {
    status.textContent = errorText(error);
    if (button) button.disabled = false;
    return false;
  }
}

/** Goes to the table that waits under this code. @param {string} words */
export async function joinByCode(words) {
  const { id, secret } = await post("/api/code", {}, { code: words.trim() });
  location.assign(pathTo(secret ? `/t/${id}#seat=${secret}` : `/t/${id}`));
}

/* what a page cannot do without */

/** Where even the words could not be loaded. */
const NO_WORDS = { why: "No connection. Nothing is lost.", again: "Try again" };

/**
 * Waits for the first work of a page. If it fails, the page says so and goes no further.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export function start(work) {
  return work.catch((error) => {
    if (!(error instanceof RequestError)) reportError(error);
    return stop(() => (error instanceof RequestError && error.status ? errorText(error) : t("offline.why")), "offline.again");
  });
}

/**
 * Loads a module or words when needed: `later(() => import("./end.js"))`. After an update of the server they are gone: then
 * the page says so and goes no further.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export function later(load) {
  return load().catch(async (error) => {
    reportError(error);
    const isReached = await fetch(location.href, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok, () => false);
    return isReached ? stop(() => t("table.newer"), "table.reload") : stop(() => t("offline.why"), "offline.again");
  });
}

/**
 * Says why the page cannot go on, and lets one load it again. What was there stays.
 * @param {() => string} why
 * @param {string} again the key of what the button says
 * @returns {Promise<never>} one that never settles
 */
async function stop(why, again) {
  await wordsReady.catch(() => {});
  const isTold = hasWords(again);
  document.querySelector(".stopped")?.remove();
  document.body.append(el("div.stopped.sheet", { role: "alert", lang: !isTold && "en" },
    el("p", isTold ? why() : NO_WORDS.why),
    el("button.button.primary", { type: "button", onclick: () => location.reload() }, isTold ? t(again) : NO_WORDS.again)));
  return new Promise(() => {});
}
