// Values of Directus in the form that the service takes; null where it takes none.

import { duration } from '../../core/util/setting-kinds.js';

const units: Readonly<Record<string, string>> = {
  milliseconds: 'ms',
  msecs: 'ms',
  seconds: 's',
  secs: 's',
  minutes: 'm',
  mins: 'm',
  hours: 'h',
  hrs: 'h',
  days: 'd',
};

/** `15m`, `7 days`, `2 weeks`, and bare numbers, which are milliseconds. */
export function toDuration(written: string): string | null {
  const [, amount = '', word = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(written.trim()) ?? [];
  if (amount === '') return null;
  const name = word.toLowerCase();
  if (/^(?:w|weeks?)$/.test(name)) return `${Number(amount) * 7}d`;
  if (/^(?:y|yrs?|years?)$/.test(name)) return `${Number(amount) * 365}d`;
  const unit = name === '' ? 'ms' : (units[name] ?? units[`${name}s`] ?? name);
  try {
    duration.parse(`${amount}${unit}`);
    return `${amount}${unit}`;
  } catch {
    return null;
  }
}

export const toSeconds = (written: string): string | null => (/^\d+$/.test(written) ? `${written}s` : null);

/** `1mb`, or a number of bytes. */
export const toBytes = (written: string): string | null => {
  if (/^\d+$/.test(written)) return `${written}B`;
  return /^\d+(?:\.\d+)?\s*[kmg]?b$/i.test(written) ? written.replace(/\s/g, '').toUpperCase() : null;
};

export const toOnOff = (written: string): string => (isTrue(written) ? 'on' : 'off');

/** A number, or none. */
export const toLimit = (written: string): string | null =>
  /^(?:-1|infinity)$/i.test(written) ? 'off' : /^\d+$/.test(written) ? written : null;

export const isTrue = (written: string | undefined): boolean => /^(?:true|1|on|yes)$/i.test(written ?? '');

export const asIs = (written: string): string => written;
