/**
 * Requests to the server. Paths, bodies and answers have the types of the OpenAPI document.
 */
import { hasWords, t } from "../i18n/locale.js";
import { pathTo } from "./address.js";

/** @import { paths, RefusalBody } from "./types.js" */

/**
 * The paths that have a method.
 * @template {"get" | "put" | "post" | "delete"} M
 * @typedef {{[P in keyof paths]: paths[P] extends {[_ in M]: {responses: unknown}} ? P : never}[keyof paths]} PathOf
 */
/**
 * What a path answers when it succeeds.
 * @template {"get" | "put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {paths[P][M] extends {responses: infer R}
 *   ? R[keyof R & (200 | 201)] extends {content: {"application/json": infer A}} ? A : never : never} Answer
 */
/**
 * The body that a path takes; none if it takes none.
 * @template {"put" | "post"} M
 * @template {PathOf<M>} P
 * @typedef {paths[P][M] extends {requestBody: {content: {"application/json": infer B}}} ? B
 *   : Record<string, never>} Body
 */
/** @typedef {Record<string, string | number>} Params for the braces in a path; the others are its query */

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
  let response;
  try {
    response = await fetch(urlOf(path, params), { method, headers, body: JSON.stringify(body) });
  } catch {
    throw new RequestError(0, { code: "offline" });
  }
  const answer = await response.json().catch(() => ({}));
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
 */
export async function attempt(work, status, button) {
  if (button?.disabled) return;
  if (button) button.disabled = true;
  status.textContent = "";
  try {
    await work();
  } catch (error) {
    status.textContent = errorText(error);
    if (button) button.disabled = false;
  }
}

/** Goes to the table that waits under these three words. @param {string} words */
export async function joinByCode(words) {
  const { id, secret } = await post("/api/code", {}, { code: words.trim() });
  location.assign(pathTo(secret ? `/t/${id}#seat=${secret}` : `/t/${id}`));
}
