/**
 * The names of the settings with a score sheet: this version's, and another version's.
 */
export const [SHEET, OTHER] = ["score", "score-other"];
