/**
 * The settings in local storage that hold a score sheet: the one of this version, and one that it cannot read.
 */
export const [SHEET, OTHER] = ["score", "score-other"];
