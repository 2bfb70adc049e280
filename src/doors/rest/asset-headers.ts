// Headers of file contents: the requested range, and the name under which a browser saves the file.

import type { ByteRange } from '../../service/files/storage/storage.js';

interface Whole {
  readonly size: number;
  readonly etag: string;
}

/** Parses the Range header (RFC 9110, 14). A single range is honoured; several ranges, or an invalid one, mean the whole content. */
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

/** The Content-Disposition header (RFC 6266), with an ASCII name for all clients and the exact name encoded. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string | null): string {
  if (filename === null) return kind;
  const plain = filename.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '')).replace(/['()*]/g, percent);
  return `${kind}; filename="${plain}"${plain === filename ? '' : `; filename*=UTF-8''${exact}`}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
