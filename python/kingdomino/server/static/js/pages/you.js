/**
 * The page about yourself, `/you`: sign in other devices (with a link or a passkey), and delete your data.
 * `/you#link=SECRET` is the link; browsers do not send the part after the #.
 */
import { copyFrom } from "../draw/copy.js";
import { byId } from "../draw/dom.js";
import { t, wordsReady } from "../i18n/locale.js";
import { HAS_SERVER, IS_LOCAL } from "../net/address.js";
import { attempt, errorText, get, post, RequestError, start } from "../net/api.js";
import { forgetTables } from "../local/store.js";
import { STORED } from "../net/settings.js";
import { forgetAllBut } from "../net/storage.js";
import { forgetReviews } from "../review/kept.js";
import { myName } from "./begin.js";

/**
 * @import { Identity } from "../net/types.js"
 * @typedef {"" | "joined" | "forgotten"} Done how this device has changed its identity here
 */

/** A passkey needs a host with a name. */
const HAS_PASSKEYS = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential
  && !/^[\d.]+$|^\[/.test(location.hostname);

/** What stays in local storage when a person is forgotten: the choices of the settings' dialog. */
const IMPERSONAL = [...STORED, "notify", "muted", "shortcuts"];

/** @type {Identity} */
let identity = { name: null, games: 0, passkeys: 0 };
/** @type {Done} */
let done = "";
const secret = new URLSearchParams(location.hash.slice(1)).get("link");

const passkeyStatus = byId("passkey-status");
const button = (/** @type {string} */ id) => byId(id, HTMLButtonElement);

/** Whether switching the identity would leave something behind. */
const hasOwn = () => identity.games + identity.passkeys > 0;

/** Draws everything that depends on the identity and the language. */
function draw() {
  const name = identity.name ?? t("common.guest");
  byId("headline").textContent = t(done ? `you.${done}` : secret ? "you.arriving_headline" : HAS_SERVER ? "you.headline" : "you.here", { name });
  byId("who").textContent = t(done ? `you.${done}_why` : "you.who", { name });
  byId("arriving").hidden = !secret || done !== "";
  byId("sheets").hidden = Boolean(secret) || done !== "";
  byId("after").hidden = done === "";
  byId("moving").hidden = !hasOwn();
  byId("moving").textContent = t("you.moving", { n: identity.games });
  byId("join-why").textContent = t("you.moving", { n: identity.games });
  byId("passkeys").textContent = identity.passkeys ? t("you.passkeys", { n: identity.passkeys }) : "";
  byId("passkey-hand").hidden = !HAS_PASSKEYS;
  if (!HAS_PASSKEYS) passkeyStatus.textContent = t("you.no_passkeys");
  byId("only-here").hidden = !IS_LOCAL;
  byId("copy").textContent = t("wait.copy");
  byId("qr", HTMLImageElement).alt = t("you.qr");
}

/** Shows that this device has another identity now, or none. @param {Done} how */
function finish(how) {
  done = how;
  draw();
  byId("headline").focus();
}

/* another device */

const makeLink = () => attempt(async () => {
  const { url, qr, seconds } = await post("/api/me/link", {}, {});
  byId("url", HTMLInputElement).value = url;
  byId("qr", HTMLImageElement).src = qr;
  byId("lasts").textContent = t("you.lasts", { n: seconds / 60 });
  byId("link").hidden = false;
  button("make").textContent = t("you.make_another");
  button("make").disabled = false;
}, byId("make-refused"), button("make"));

/** Switches to another identity. @param {() => Promise<Identity>} work */
async function join(work) {
  try {
    identity = await work();
  } catch (error) {
    if (error instanceof RequestError && error.code === "has_games") {
      identity = await get("/api/me/identity"); // there are games that this page did not know of
      draw();
    }
    throw error;
  }
  finish("joined");
}

const arrive = () => attempt(() => join(() => post("/api/link", {}, { secret: secret ?? "", join: hasOwn() })),
  byId("arrive-refused"), button("arrive"));

/* a passkey */

/**
 * Runs work that the person or the browser may refuse without effect.
 * @param {HTMLButtonElement} pressed
 * @param {() => Promise<void>} work
 */
async function withPasskey(pressed, work) {
  await attempt(() => work().catch((error) => {
    if (!(error instanceof DOMException)) throw error;
    throw new RequestError(0, { code: error.name === "InvalidStateError" ? "known_passkey" : "bad_passkey" });
  }), passkeyStatus, pressed);
  pressed.disabled = false;
}

const makePasskey = () => withPasskey(button("make-passkey"), async () => {
  const { options } = await post("/api/me/passkeys/options", {}, {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    /** @type {PublicKeyCredentialCreationOptionsJSON} */ (/** @type {unknown} */ (options)));
  const made = await navigator.credentials.create({ publicKey });
  identity = await post("/api/me/passkeys", {}, { credential: written(made) });
  draw();
  passkeyStatus.textContent = t("you.passkey_made");
});

const signIn = () => withPasskey(button("sign-in"), async () => {
  const { options } = await post("/api/passkey/options", {}, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    /** @type {PublicKeyCredentialRequestOptionsJSON} */ (/** @type {unknown} */ (options)));
  const used = await navigator.credentials.get({ publicKey });
  await join(() => post("/api/passkey", {}, { credential: written(used), join: hasOwn() }));
});

/** The parts of a credential for the server. @param {Credential | null} credential */
const written = (credential) => (credential instanceof PublicKeyCredential ? credential.toJSON() : {});

/** Asks for confirmation if games of this device would move. */
function askToSignIn() {
  if (!hasOwn()) return signIn();
  byId("join").hidden = false;
  byId("join-yes").focus();
}

/** @param {boolean} yes */
function answerJoin(yes) {
  byId("join").hidden = true;
  byId("sign-in").focus();
  return yes && signIn();
}

/* other devices */

const signOut = () => attempt(async () => {
  await post("/api/me/sign-out", {}, {});
  byId("link").hidden = true; // it no longer works
  byId("sign-out-status").textContent = t("you.signed_out");
  button("sign-out").disabled = false;
}, byId("sign-out-status"), button("sign-out"));

/* deleting your data */

/** @param {boolean} asked */
function askToForget(asked) {
  byId("sure").hidden = !asked;
  button("forget").ariaExpanded = String(asked);
  byId(asked ? "forget-yes" : "forget").focus();
}

const forget = () => attempt(async () => {
  if (HAS_SERVER) await post("/api/me/forget", {}, {});
  await Promise.all([forgetReviews(), forgetTables()]);
  forgetAllBut(IMPERSONAL);
  finish("forgotten");
}, byId("forget-refused"), button("forget-yes"));

await start(wordsReady);
if (secret) history.replaceState(null, "", location.pathname);
document.addEventListener("language", draw);
button("make").onclick = makeLink;
button("copy").onclick = () => {
  const url = byId("url", HTMLInputElement);
  return copyFrom(button("copy"), "wait.copy", url.value, url);
};
button("arrive").onclick = arrive;
button("make-passkey").onclick = makePasskey;
button("sign-in").onclick = askToSignIn;
button("join-yes").onclick = () => answerJoin(true);
button("join-no").onclick = () => answerJoin(false);
button("sign-out").onclick = signOut;
button("forget").onclick = () => askToForget(byId("sure").hidden);
button("forget-yes").onclick = forget;
button("forget-no").onclick = () => askToForget(false);
byId("url", HTMLInputElement).onfocus = () => byId("url", HTMLInputElement).select();
addEventListener("hashchange", () => location.reload()); // a link opened in this tab
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
try {
  if (HAS_SERVER) identity = await get("/api/me/identity");
  else identity.name = myName();
} catch (error) {
  byId(secret ? "arrive-refused" : "make-refused").textContent = errorText(error);
}
draw();
