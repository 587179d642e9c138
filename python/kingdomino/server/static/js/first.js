/**
 * Runs before the page is visible: applies the chosen colours and pace (net/settings.js), so that the page never shows
 * others first, and starts to load the words, for which i18n/locale.js waits. Registers the service worker after loading.
 */
(() => {
  /** @param {string} name */
  function setting(name) {
    try {
      return JSON.parse(localStorage[`kingdomino.${name}`]);
    } catch {
      return null; // never chosen, or local storage is not allowed
    }
  }

  /** The rule of tokens.css for a system preference. @param {string} query */
  function mediaOf(query) {
    for (const { cssRules } of document.styleSheets) {
      for (const rule of cssRules) {
        if (rule instanceof CSSMediaRule && rule.media.mediaText === query) return rule.media;
      }
    }
    throw new Error(`no rule for ${query}`);
  }

  const [dark, still] = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"].map((system) => {
    const media = mediaOf(system);
    // A choice overrides the system.
    return (/** @type {boolean | null} */ chosen) => { media.mediaText = chosen === null ? system : chosen ? "all" : "not all"; };
  });

  function apply() {
    const [theme, pace] = [setting("theme"), setting("pace")];
    dark(theme && theme === "dark");
    still(pace && pace === "none");
    document.documentElement.style.colorScheme = theme || "";
    document.documentElement.dataset.pace = pace || "";
  }

  /** The language chosen before, or the browser's first of LANGUAGES (i18n/locale.js). Its words load beside the modules. */
  function loadWords() {
    const language = [setting("language"), ...navigator.languages]
      .map((tag) => String(tag).slice(0, 2).toLowerCase())
      .find((code) => ["en", "fr", "es"].includes(code)) || "en";
    document.documentElement.lang = language;
    const words = load(language);
    words.catch(() => {}); // locale.js reports it
    window.words = { first: { language, words }, load };
  }

  /** Loads a language: the words of many pages, and the files that this page names in `data-words`. @param {string} language */
  async function load(language) {
    const own = (document.documentElement.dataset.words || "").split(" ").filter(Boolean);
    const files = await Promise.all([language, ...own.map((name) => `${language}.${name}`)].map(async (name) => {
      const url = new URL(`../words/${name}.json`, src);
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status} for ${url.pathname}`);
      return response.json();
    }));
    return Object.assign({}, ...files);
  }

  /** Milliseconds after which the service worker has opened the page. */
  const SETTLED = 500;
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  if (!("popover" in HTMLElement.prototype)) { // before Safari 17, Firefox 125 and Chromium 114
    document.write(`<script src="${new URL("old.js", src)}"></script>`);
    return;
  }
  apply();
  loadWords();
  document.addEventListener("settings", apply);
  addEventListener("storage", apply);
  addEventListener("load", async () => {
    if (!("serviceWorker" in navigator)) return;
    const registration = await navigator.serviceWorker.register(new URL("../../../sw.js", src)).catch(() => null);
    // The next release takes over on the home page, never in a game.
    if (!registration?.waiting || location.pathname !== new URL("../../../", src).pathname) return;
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    // If asked at once, Chromium often waits for the old worker, which has just opened this page, without end.
    setTimeout(() => registration.waiting?.postMessage("take over"), SETTLED);
  });
})();
