// The names of transactions in MySQL's binary log, as its functions take them: `source:number` or `source:tag:number`.

import type { Bytes } from './binlog-values.js';

export function readGtid(body: Bytes): string {
  body.take(1);
  return `${asUuid(body.take(16))}:${body.take(8).readBigInt64LE()}`;
}

/**
 * Since MySQL 8.3, for a transaction with a tag: fields with numbers of varying length. The fields of every version begin with flags, source, number and
 * tag; what follows is of no interest.
 */
export function readTaggedGtid(body: Bytes): string {
  // The version of the format, the size of the message, and the last field that a reader must know.
  for (let header = 0; header < 3; header += 1) readVarying(body);
  expectField(body, 0);
  readVarying(body);
  expectField(body, 1);
  const source = asUuid(Buffer.from(Array.from({ length: 16 }, () => Number(readVarying(body)))));
  expectField(body, 2);
  // Signed numbers have their sign in the lowest bit.
  const number = readVarying(body) >> 1n;
  expectField(body, 3);
  const tag = body.take(Number(readVarying(body))).toString('utf8');
  return `${source}:${tag === '' ? '' : `${tag}:`}${number}`;
}

function expectField(body: Bytes, id: number): void {
  if (Number(readVarying(body)) !== id) throw new Error('the name of a transaction in the binary log has an unknown form');
}

/** The ones at the end of the first byte count the bytes that follow. */
function readVarying(body: Bytes): bigint {
  const first = body.number(1);
  let more = 0;
  while (more < 8 && (first & (1 << more)) !== 0) more += 1;
  let value = 0n;
  for (const [index, byte] of body.take(more).entries()) value |= BigInt(byte) << BigInt(8 * index);
  if (more === 8) return value;
  return (value << BigInt(7 - more)) | BigInt(first >> (more + 1));
}

function asUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
