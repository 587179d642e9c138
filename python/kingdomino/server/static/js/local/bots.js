/**
 * The bots that can play on this device: the levels of `king`.
 */

export const STRONGEST = 8;

/** The level of a bot. @param {string} bot a spec string */
export const levelOf = (bot) => Number(bot.match(/level=(\d)/)?.[1] ?? STRONGEST);
