// Headers of a content: the part that a request asks for, and the name under which the answer is kept.

import type { ByteRange } from '../../service/files/storage/storage.js';

interface Whole {
  readonly size: number;
  readonly etag: string;
}

/** The range of a request (RFC 9110, 14). One is honoured; several, or none that can be read, mean the whole. */
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

/** How a content is kept and under which name (RFC 6266): a plain name for everybody, the exact one encoded. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string | null): string {
  if (filename === null) return kind;
  const plain = filename.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '')).replace(/['()*]/g, percent);
  return `${kind}; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${exact}`}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
