// Times of day as other programs stored them: `9:30`, `12:30`, or a number, which may count anything and is answered as it is.

/** A number in a column for times, as it is answered. */
export const numberText = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const plainClock = /^\d\d:\d\d:\d\d(?:\.(?!000$)\d{3}(?:\d*[1-9])?)?$/;

/** Whether the value is stored in the canonical form, so that it can be compared as it is. */
export const isPlainClock = (value: unknown): boolean => typeof value === 'string' && plainClock.test(value);

const anyClock = /^(?:\d{4}-\d\d-\d\d[ T])?\d?\d:\d\d(?::\d\d(?:\.\d+)?)?/;

/** Whether the stored value means a time of day, or is a number. */
export const isClock = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && anyClock.test(value));
