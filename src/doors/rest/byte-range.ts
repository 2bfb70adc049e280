// The part of a content a request asks for (RFC 9110, 14). One range is honoured; several, or none that can be read, mean the whole.

import type { ByteRange } from '../../service/files/storage/storage.js';

interface Whole {
  readonly size: number;
  readonly etag: string;
}

export function parseRange(
  header: string | undefined,
  ifRange: string | undefined,
  { size, etag }: Whole,
): ByteRange | null | 'unsatisfiable' {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === '' && to === '') return null;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}

const lastBytes = (count: number, size: number): ByteRange | 'unsatisfiable' =>
  count === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(0, size - count), last: size - 1 };
