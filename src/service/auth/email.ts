// Email addresses of accounts: stored in lower case and compared byte by byte in code. A collation may treat ü and u as equal; two
// accounts must not be (C11).

/** One @, no spaces or control characters, a dot in the domain; at most as long as the column. */
const pattern = /^[^\s@\p{Cc}"<>(),;:\\[\]]{1,64}@[^\s@\p{Cc}"<>(),;:\\[\]]+\.[^\s@\p{Cc}"<>(),;:\\[\].]{2,}$/u;

export const normaliseEmail = (text: string): string => text.trim().toLowerCase();

/** The address as accounts keep it; null for what is none. */
export function readEmail(text: string): string | null {
  const email = normaliseEmail(text);
  return email.length <= 128 && pattern.test(email) ? email : null;
}

export const isSameEmail = (one: string, other: string): boolean => normaliseEmail(one) === normaliseEmail(other);
