/**
 * Requests to the server. Paths, bodies and answers have the types of the OpenAPI document.
 */
import { el } from "../draw/dom.js";
import { hasWords, t, wordsReady } from "../i18n/locale.js";
import { HAS_SERVER, NO_SERVER, pathTo } from "./address.js";

/** @import { Paths, RefusalBody } from "./types.js" */

/**
 * The paths that have a method.
 * @template {"get" | "put" | "post" | "delete"} M
 * @typedef {{[P in keyof Paths]: M extends keyof Paths[P] ? P : never}[keyof Paths]} PathOf
 */
/**
 * The successful answer of a path.
 * @template {"get" | "put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {Paths[P] extends {[_ in M]: {answer: infer A}} ? A : never} Answer
 */
/**
 * The body of a path's requests, if any.
 * @template {"put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {Paths[P] extends {[_ in M]: {body: infer B}} ? B : Record<string, never>} Body
 */
/** @typedef {Record<string, string | number>} Params for the braces in a path; others form its query */

/** Timeout in milliseconds until the server counts as unreachable. */
const LONGEST = 20_000;

/** The server refused a request, or was unreachable. */
export class RequestError extends Error {
  /** @param {number} status 0 if the server was unreachable @param {Partial<RefusalBody>} refusal */
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

/**
 * @param {string} method
 * @param {string} path
 * @param {Params} params
 * @param {unknown} [body]
 * @param {boolean} [isText] whether the answer is a text
 */
async function request(method, path, params, body, isText = false) {
  const headers = { "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(LONGEST);
  const offline = new RequestError(0, { code: "offline" });
  if (!HAS_SERVER) throw new RequestError(0, { code: "no_server" });
  let response, answer;
  try {
    response = await fetch(urlOf(path, params), { method, headers, signal, body: JSON.stringify(body) });
    answer = await (isText && response.ok ? response.text() : response.json());
  } catch (error) {
    if (!response || !(error instanceof SyntaxError)) throw offline;
    answer = {};
  }
  if (NO_SERVER.includes(response.status) && !answer.code) throw offline; // the server's own refusals have a code
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

/** A text, like a record. @param {string} path @param {Params} params @returns {Promise<string>} */
export const getText = (path, params) => request("GET", path, params, undefined, true);

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

/** Whether a request failed because there is no server, or no connection to it. @param {unknown} error */
export const isOffline = (error) => error instanceof RequestError && error.status === 0;

/** Whether a private link is no longer valid. @param {unknown} error */
export const isUsedLink = (error) => error instanceof RequestError && error.code === "wrong_secret";

/** The reason of a failure, in the current language; the server's own sentence for a code without words. @param {unknown} error */
export function errorText(error) {
  if (error instanceof RequestError) {
    const isName = error.code === "bad_field" && error.field?.split(".").at(-1) === "name";
    const key = `common.refused_${isName ? "bad_name" : error.code}`;
    if (hasWords(key)) return t(key);
  }
  if (error instanceof DOMException && error.name === "QuotaExceededError") return t("common.refused_full");
  return (error instanceof Error && error.message) || t("common.refused_unknown");
}

/**
 * Runs work that the server may refuse. Disables its button meanwhile, and after success, because then another page or
 * the result follows. Shows the reason of a failure in `status`.
 * @param {() => Promise<unknown>} work
 * @param {Element} status
 * @param {HTMLButtonElement | null} [button]
 * @returns {Promise<boolean>} whether it succeeded
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

/** Goes to the waiting table with this code. @param {string} words */
export async function joinByCode(words) {
  const { id, secret } = await post("/api/code", {}, { code: words.trim() });
  location.assign(pathTo(secret ? `/t/${id}#seat=${secret}` : `/t/${id}`));
}

/* the essentials of a page */

/** For when even the words did not load. */
const NO_WORDS = { why: "No connection. Nothing is lost.", again: "Try again" };

/**
 * Waits for a page's essential work. If it fails, shows the reason and never settles.
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
 * it says so and never settles.
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
 * Says why the page cannot go on, with a button to reload it. The page keeps its content.
 * @param {() => string} why
 * @param {string} again the key of the button's label
 * @returns {Promise<never>} never settles
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
