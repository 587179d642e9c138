/**
 * The page for an unknown address, a missing table or a used link. It says what may have happened, and offers ways on.
 */
import { el, wordmark } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { botsReady, opponent } from "../i18n/names.js";
import { HAS_SERVER, pathTo } from "../net/address.js";
import { attempt, joinByCode } from "../net/api.js";
import { startGame } from "./begin.js";
import { storedRules } from "./rules.js";

addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

/**
 * The content of the page; its style sheet is lost.css.
 * @param {"page" | "table" | "link"} kind
 * @param {string} [table] of the link, to watch
 */
export function lostPage(kind, table) {
  const refused = el("p.refusal", { role: "alert" });
  /** @type {HTMLButtonElement} */
  const play = el("button.button.primary.big", {
    type: "button", onclick: () => attempt(startUsualGame, refused, play),
  }, t("home.play"));
  const onward = table
    ? el("a.button.big", { href: pathTo(`/t/${table}`) }, t("lost.watch"))
    : el("a.button.big", { href: pathTo("/games") }, t("home.mine"));
  return el("div.lost",
    el("nav", wordmark()),
    el("div",
      el("section",
        el("h1", t(`lost.${kind}`)), el("p.lead", t(`lost.${kind}_why`)),
        el("div.do", play, onward), refused, HAS_SERVER && codeForm()),
      el("div.sheet", { "aria-hidden": "true", inert: true }, bareKingdom())));
}

/** Starts a game like the last one from the home page. */
async function startUsualGame() {
  await botsReady;
  const stored = storedRules("play");
  await startGame(stored.rules, opponent(stored.bot).bot);
}

/** Asks for the code of a table. */
function codeForm() {
  const refused = el("p.refusal", { id: "code-refused", role: "alert" });
  const field = el("input.field", {
    id: "code", maxlength: 60, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    "aria-describedby": "code-refused", placeholder: t("home.code_hint"),
  });
  const go = el("button.button", t("home.code_go"));
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    return field.value.trim() ? attempt(() => joinByCode(field.value), refused, go) : field.focus();
  };
  return el("form", { onsubmit: join },
    el("label.label", { for: "code" }, t("lost.code")), el("div.together", field, go), refused);
}

function bareKingdom() {
  const kingdom = new Kingdom();
  kingdom.show({ frame: "reach", dominoes: [] });
  return kingdom;
}
