// What a bound value becomes on its way to the driver. Strings stay text in every case, so exact decimals are sent as strings;
// integers arrive exact whether number, bigint or string; lists are JSON text, to be read with JSON_TABLE.

import type { BoundValue } from '../../core/sql/sql.js';

export type DriverValue = string | number | bigint | null | Buffer;

export function bindValue(value: BoundValue): DriverValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return value;
}

/** Fits the eight bytes of an integer parameter; prepared statements would otherwise get numbers as doubles. */
export const isWireInteger = (value: DriverValue): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
