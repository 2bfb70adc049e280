// How a setting is written: each kind reads a text or throws, and says in words what it wants.

export interface Kind<T> {
  parse(written: string): T;
  readonly wanted: string;
}

const refuse = (): never => {
  throw new Error('not wanted');
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

export const integer = (least: number, most: number): Kind<number> => ({
  parse: (written) => (/^\d+$/.test(written) && Number(written) >= least && Number(written) <= most ? Number(written) : refuse()),
  wanted: `a whole number from ${least} to ${most}`,
});

export const choice = <const T extends string>(...options: readonly T[]): Kind<T> => ({
  parse: (written) => options.find((option) => option === written.toLowerCase()) ?? refuse(),
  wanted: `one of ${options.join(', ')}`,
});

export const url = (...protocols: readonly string[]): Kind<string> => ({
  parse: (written) => (URL.canParse(written) && protocols.includes(new URL(written).protocol) ? written : refuse()),
  wanted: `an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
});

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
