// The kinds of settings: each parses a text or throws, and states in words what it accepts.

export interface Kind<T> {
  parse(written: string): T;
  readonly wanted: string;
}

const refuse = (): never => {
  throw new Error('not accepted');
};

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnits: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

function measure(written: string, units: Readonly<Record<string, number>>): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(written.trim()) ?? [];
  const factor = units[unit] ?? units[unit.toUpperCase()] ?? units[unit.toLowerCase()];
  return amount === undefined || factor === undefined ? refuse() : Math.round(Number(amount) * factor);
}

export const text: Kind<string> = { parse: (written) => written, wanted: 'a text' };

export const email: Kind<string> = {
  parse: (written) => (/^[^\s@]+@[^\s@]+$/.test(written) ? written : refuse()),
  wanted: 'an email address',
};

/** In milliseconds. */
export const duration: Kind<number> = {
  parse: (written) => measure(written, durationUnits),
  wanted: 'a duration such as 500ms, 30s, 15m, 12h or 7d',
};

export const bytes: Kind<number> = { parse: (written) => measure(written, sizeUnits), wanted: 'a size such as 500KB, 1MB or 2GB' };

export const onOff: Kind<boolean> = {
  parse: (written) => (/^(on|true|1|yes)$/i.test(written) ? true : /^(off|false|0|no)$/i.test(written) ? false : refuse()),
  wanted: 'on or off',
};

export const list: Kind<readonly string[]> = {
  parse: (written) =>
    written
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  wanted: 'a list separated by commas',
};

export const integer = (min: number, max: number): Kind<number> => ({
  parse: (written) => (/^\d+$/.test(written) && Number(written) >= min && Number(written) <= max ? Number(written) : refuse()),
  wanted: `a whole number from ${min} to ${max}`,
});

export const choice = <const T extends string>(...options: readonly T[]): Kind<T> => ({
  parse: (written) => options.find((option) => option === written.toLowerCase()) ?? refuse(),
  wanted: `one of ${options.join(', ')}`,
});

export const url = (...protocols: readonly string[]): Kind<string> => ({
  parse: (written) => (URL.canParse(written) && protocols.includes(new URL(written).protocol) ? written : refuse()),
  wanted: `an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
});

/** The path in front of all paths of the service; `/` is none. Without a slash at the end. */
export const basePath: Kind<string> = {
  parse: (written) => (/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/.test(written) ? written.replace(/\/$/, '') : refuse()),
  wanted: 'a path such as /data',
};

/** Accepts an address with a known scheme, or a path. A bare word is more likely a mistake than a file name. */
export const database: Kind<string> = {
  parse: (written) =>
    /^(?:postgres|postgresql|mysql|mariadb):\/\/[^/]/i.test(written) ||
    /^(?:sqlite|file):./i.test(written) ||
    (!/^[a-z][a-z0-9+.-]+:/i.test(written) && /[/\\.]/.test(written))
      ? written
      : refuse(),
  wanted: 'sqlite:./file.db, postgres://user:password@host/database or mysql://user:password@host/database',
};

/** A comma also separates the hosts of one address, so the next address begins with its scheme. */
export const databases: Kind<readonly string[]> = {
  parse: (written) => (written === '' ? [] : written.split(/,\s*(?=[a-z]+:)/i).map((address) => database.parse(address.trim()))),
  wanted: 'a list of addresses such as postgres://user:password@host/database, separated by commas',
};

const minSecretLength = 16;

/** A secret that can be guessed lets an attacker sign tokens of any user. */
export const secret: Kind<string> = {
  parse: (written) => (written.length >= minSecretLength ? written : refuse()),
  wanted: `a text of at least ${minSecretLength} characters`,
};

/** A host name with a dot, as browsers accept it for a cookie. */
export const domain: Kind<string> = {
  parse: (written) => (/^\.?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(written) ? written : refuse()),
  wanted: 'a domain such as example.com',
};

export const optional = <T>(kind: Kind<T>): Kind<T | null> => kind;

/** `off` is null. */
export const orOff = <T>(kind: Kind<T>): Kind<T | null> => ({
  parse: (written) => (written.toLowerCase() === 'off' ? null : kind.parse(written)),
  wanted: `${kind.wanted}, or off`,
});

export const trustProxy: Kind<boolean | number | string> = {
  parse: (written) => {
    if (/^\d+$/.test(written)) return Number(written);
    if (/^(on|true)$/i.test(written)) return true;
    if (/^(off|false)$/i.test(written)) return false;
    return /^[0-9a-f.:/,\s]+$/i.test(written) ? written : refuse();
  },
  wanted: 'on, off, a number of hops or a list of addresses',
};
