// Addresses as accounts know them: lower case, compared byte by byte in code. A database may think ü equal to u; we do not (C11).

/** One @, no spaces or controls, a dot in the domain; the length of the column. */
const pattern = /^[^\s@\p{Cc}"<>(),;:\\[\]]{1,64}@[^\s@\p{Cc}"<>(),;:\\[\]]+\.[^\s@\p{Cc}"<>(),;:\\[\].]{2,}$/u;

export const isEmail = (text: string): boolean => text.length <= 128 && pattern.test(text);

export const normaliseEmail = (text: string): string => text.trim().toLowerCase();

export const isSameEmail = (one: string, other: string): boolean => normaliseEmail(one) === normaliseEmail(other);
