/** What first.js, no module, leaves for the modules: the words that it loads, and their language. */
interface Window {
  firstWords?: { language: string; words: Promise<Record<string, string | Record<string, string>>> };
}
