// Decimal numbers as canonical text: no exponent, no leading or trailing zeros, `-0` is `0`. Exact at any size.

const maxDigits = 1000;
const parts = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

/** `text` must be a number in decimal or exponent notation. Returns null when it has more than a thousand digits. */
export function parseDecimal(text: string): string | null {
  const match = text.length > maxDigits ? null : parts.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > maxDigits) return null;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 0);
  return canonical(sign === '-', padded.slice(0, at), padded.slice(at));
}

function canonical(negative: boolean, whole: string, fraction: string): string {
  const head = whole.replace(/^0+/, '') || '0';
  const tail = trimZeros(fraction);
  const text = tail === '' ? head : `${head}.${tail}`;
  return negative && text !== '0' ? `-${text}` : text;
}

/** A loop, because the pattern `0+$` takes quadratic time on long runs of zeros. */
function trimZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
}

const splitDecimal = (decimal: string): readonly [string, string] => {
  const unsigned = decimal.startsWith('-') ? decimal.slice(1) : decimal;
  const point = unsigned.indexOf('.');
  return point === -1 ? [unsigned, ''] : [unsigned.slice(0, point), unsigned.slice(point + 1)];
};

/** The number of digits from the first to the last that is not zero. */
export function significantDigits(decimal: string): number {
  const [whole, fraction] = splitDecimal(decimal);
  const digits = (whole + fraction).replace(/^0+/, '');
  return trimZeros(digits).length;
}

/** Every decimal with this many digits survives the conversion to a double. */
export const exactDigits = 15;

/** A number if the conversion is exact, else the text. */
export function numberIfExact(text: string): number | string {
  const decimal = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? parseDecimal(text) : null;
  return decimal !== null && significantDigits(decimal) <= exactDigits ? Number(text) : text;
}

/** Whether a column of `precision` digits, `scale` of them after the point, can store the decimal; null: no bound. */
export function fitsDecimal(decimal: string, precision: number | null, scale: number | null): boolean {
  const [whole, fraction] = splitDecimal(decimal);
  if (scale !== null && fraction.length > Math.max(scale, 0)) return false;
  const wholeDigits = whole === '0' ? 0 : whole.length;
  return precision === null || wholeDigits <= precision - (scale ?? 0);
}

/** Negative, zero or positive, as `left` is less than, equal to or greater than `right`. */
export function compareDecimals(left: string, right: string): number {
  const scale = Math.max(splitDecimal(left)[1].length, splitDecimal(right)[1].length);
  const a = scaled(left, scale);
  const b = scaled(right, scale);
  return a < b ? -1 : a > b ? 1 : 0;
}

function scaled(decimal: string, scale: number): bigint {
  const [whole, fraction] = splitDecimal(decimal);
  const magnitude = BigInt(whole + fraction.padEnd(scale, '0'));
  return decimal.startsWith('-') ? -magnitude : magnitude;
}
