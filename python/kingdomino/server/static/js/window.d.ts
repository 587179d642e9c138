type Words = Record<string, string | Record<string, string>>;

/** What first.js, no module, leaves for the modules: the words that it loads, and how to load another language's. */
interface Window {
  words: { first: { language: string; words: Promise<Words> }; load: (language: string) => Promise<Words> };
}
