// How numbers are written on this page: a true minus sign, percentages without a space.

/** An equity, with its sign. */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(3)}`;

/** A chance from 0 to 1. */
export const percent = (chance) => `${(100 * chance).toFixed(1)}%`;

/** A sentence of the server, whose minus signs are hyphens. */
export const typeset = (text) => text.replace(/(?<![\w)])-(?=[\d.])/g, "−");
