// Decodes the values in a row of the binary log: how long each value is, and the parts of a primary key in the form that the service
// answers.

/** How a column of a primary key is encoded. */
export type KeyForm = 'signed' | 'unsigned' | 'text' | 'date' | 'uuid';

export type KeyPart = string | number;

export class Bytes {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Buffer {
    const from = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new RangeError('an event of the binary log ends early');
    return this.#bytes.subarray(from, this.#at);
  }

  /** An unsigned number of up to six bytes. */
  number(count: number): number {
    return this.take(count).readUIntLE(0, count);
  }

  /** A length-encoded integer of the protocol: one byte, or a marker followed by two, three or eight bytes. */
  packed(): number {
    const first = this.number(1);
    if (first < 251) return first;
    return first === 252 ? this.number(2) : first === 253 ? this.number(3) : Number(this.take(8).readBigUInt64LE());
  }

  /** A text preceded by its length and ended by a zero byte. */
  name(): string {
    const name = this.take(this.number(1)).toString('utf8');
    this.take(1);
    return name;
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }
}

export interface LoggedColumn {
  readonly type: number;
  /** The two metadata bytes of the column; their meaning depends on the type. */
  readonly first: number;
  readonly second: number;
}

const fixedLengths: ReadonlyMap<number, number> = new Map([
  [1, 1], // tinyint
  [2, 2], // smallint
  [3, 4], // int
  [4, 4], // float
  [5, 8], // double
  [7, 4], // timestamp, of old tables
  [8, 8], // bigint
  [9, 3], // mediumint
  [10, 3], // date
  [11, 3], // time, of old tables
  [12, 8], // datetime, of old tables
  [13, 1], // year
  [14, 3], // date
]);
/** The bytes of timestamp, datetime and time without their fraction of a second. */
const timeLengths: ReadonlyMap<number, number> = new Map([
  [17, 4],
  [18, 5],
  [19, 3],
]);
const bit = 16;
const decimal = 246;
const enumeration = 247;
const set = 248;
const varchars: ReadonlySet<number> = new Set([15, 253, 141]);
const string = 254;
/** Blobs, texts, JSON, vectors and geometries. */
const blobs: ReadonlySet<number> = new Set([140, 242, 245, 249, 250, 251, 252, 255]);

const describedByOne = (type: number): boolean => type === 4 || type === 5 || timeLengths.has(type) || blobs.has(type);
const describedByTwo = (type: number): boolean =>
  type === bit || type === decimal || type === enumeration || type === set || type === string || varchars.has(type);

export function readColumns(types: Buffer, description: Bytes): readonly LoggedColumn[] {
  return [...types].map((type) => {
    if (!describedByOne(type) && !describedByTwo(type) && !fixedLengths.has(type)) throw new RangeError(`type ${type} is unknown`);
    const first = describedByOne(type) || describedByTwo(type) ? description.number(1) : 0;
    return { type, first, second: describedByTwo(type) ? description.number(1) : 0 };
  });
}

const digitBytes = [0, 1, 1, 2, 2, 3, 3, 4, 4] as const;
const bytesOfDigits = (count: number): number => Math.floor(count / 9) * 4 + (digitBytes[count % 9] ?? 0);

/** Consumes one value and returns its bytes. */
export function takeValue(bytes: Bytes, { type, first, second }: LoggedColumn): Buffer {
  const fixed = fixedLengths.get(type);
  if (fixed !== undefined) return bytes.take(fixed);
  const time = timeLengths.get(type);
  if (time !== undefined) return bytes.take(time + Math.ceil(first / 2));
  if (blobs.has(type)) return bytes.take(bytes.number(first));
  if (varchars.has(type)) return bytes.take(bytes.number(first + 256 * second > 255 ? 2 : 1));
  if (type === bit) return bytes.take(second + (first > 0 ? 1 : 0));
  if (type === decimal) return bytes.take(bytesOfDigits(first - second) + bytesOfDigits(second));
  if (first === enumeration || first === set) return bytes.take(second);
  // The high bits of the maximal length are stored inverted in the byte of the type.
  return bytes.take(bytes.number(second + (((first & 0x30) ^ 0x30) << 4) > 255 ? 2 : 1));
}

const integers: ReadonlySet<number> = new Set([1, 2, 3, 8, 9]);
const dates: ReadonlySet<number> = new Set([10, 14]);

/** The value in the form that the service answers; null if that is uncertain. */
export function readKeyPart(value: Buffer, { type }: LoggedColumn, form: KeyForm): KeyPart | null {
  if (form === 'text') return varchars.has(type) || type === string ? value.toString('utf8') : null;
  if (form === 'date') return dates.has(type) ? readDate(value.readUIntLE(0, 3)) : null;
  if (form === 'uuid') return type === string && value.length <= 16 ? readUuid(value) : null;
  return integers.has(type) ? readInteger(value, form === 'signed') : null;
}

function readInteger(value: Buffer, isSigned: boolean): KeyPart {
  if (value.length < 8) return isSigned ? value.readIntLE(0, value.length) : value.readUIntLE(0, value.length);
  const integer = isSigned ? value.readBigInt64LE() : value.readBigUInt64LE();
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
}

function readDate(bits: number): string {
  const [year, month, day] = [bits >> 9, (bits >> 5) & 15, bits & 31];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/**
 * The log omits trailing zero bytes. Server versions have stored the parts of a UUID in different orders, so only bytes whose version and
 * variant are in their standard places are accepted.
 */
function readUuid(value: Buffer): string | null {
  const hex = value.toString('hex').padEnd(32, '0');
  if (!/^.{12}[1-8].{3}[89ab]/.test(hex)) return null;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
