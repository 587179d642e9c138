/**
 * Numbers in the format of the language.
 */
import { language, t } from "./locale.js";

/** `54%`. @param {number} share */
export const percent = (share) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);

/** `61%`; `under 1%` and `over 99%` unless it is exact. @param {number} chance @param {boolean} isExact */
export function chanceText(chance, isExact) {
  if (chance < 0.005 && (chance > 0 || !isExact)) return t("common.under", { percent: percent(0.01) });
  if (chance >= 0.995 && (chance < 1 || !isExact)) return t("common.over", { percent: percent(0.99) });
  return percent(chance);
}

/** `4.2`, with a true minus. @param {number} value @param {boolean} [isSigned] whether to write a plus, too */
export function decimal(value, isSigned = false) {
  const signDisplay = isSigned ? "exceptZero" : "auto";
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay })
    .format(Math.abs(value) < 0.05 ? 0 : value).replace("-", "−");
}

/** `20,000`. @param {number} count */
export const whole = (count) => new Intl.NumberFormat(language).format(count);
