// Values in the form in which a door has them, so that nothing is written out only to be parsed again: a query as the text of a URL or as
// a compiled selection, a key as a segment of a path, a file as an unread stream, an answer as JSON text.

import { parseKeySegment, parseKeyValue } from '../../core/engine/read/item-key.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import { parseUrlQuery } from '../../core/query/parse/parse-url-query.js';
import type { ParsedQuery, QueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';
import { isPlainObject } from '../../core/util/plain-object.js';
import type { UploadPart } from '../files/transfer/receive-upload.js';
import type { UploadedFile } from '../utilities/import/receive-import.js';

/** The query of a URL, without its question mark. */
export class UrlQuery {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A query that a door has compiled itself, as GraphQL does with selections. */
export class CompiledQuery {
  readonly parsed: ParsedQuery;

  constructor(parsed: ParsedQuery) {
    this.parsed = parsed;
  }
}

export type CarriedQuery = UrlQuery | CompiledQuery | Readonly<Record<string, unknown>>;

export function parseQuery(carried: CarriedQuery, limits: QueryLimits): ParsedQuery {
  if (carried instanceof CompiledQuery) return carried.parsed;
  return carried instanceof UrlQuery ? parseUrlQuery(carried.text, limits) : parseQueryObject(carried, limits);
}

/** A key as a path carries it: still percent-encoded, so that the commas between the parts of a composite key differ from those inside of them. */
export class KeySegment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type ItemKey = string | number | readonly unknown[] | KeySegment;

/** FORBIDDEN for what cannot be a key of this collection, as for a key that no item has. */
export const partsOfKey = (collection: Collection, key: ItemKey): readonly unknown[] =>
  key instanceof KeySegment ? parseKeySegment(collection, key.text) : parseKeyValue(collection, key);

/** The key as a segment of a path. */
export const segmentOfKey = (key: ItemKey): string =>
  key instanceof KeySegment
    ? key.text
    : [key]
        .flat()
        .map((part) => encodeURIComponent(String(part)))
        .join(',');

/** A value that is JSON text already, as the database wrote it; doors pass it through. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const plainValue = (value: unknown): unknown => (value instanceof JsonText ? JSON.parse(value.text) : (value ?? null));

/** A file that is opened when everything else about the call has been checked. */
export class Upload {
  readonly open: () => Promise<UploadedFile>;

  constructor(open: () => Promise<UploadedFile>) {
    this.open = open;
  }
}

/** A file that an application around the service hands over as `{ filename, type, bytes }`; null for anything else. */
export function uploadOf(value: unknown): Upload | null {
  if (!isFile(value)) return null;
  const { filename, type, bytes } = value;
  return new Upload(async () => ({ filename, type, bytes, discard: () => undefined }));
}

/** Files with the texts that describe them, in the order in which they arrive. */
export class UploadForm {
  readonly parts: () => AsyncIterable<UploadPart>;

  constructor(parts: () => AsyncIterable<UploadPart>) {
    this.parts = parts;
  }
}

/** The same from one or several `{ filename, type, bytes, …fields }`; null for anything else. */
export function uploadFormOf(value: unknown): UploadForm | null {
  const files: readonly unknown[] = Array.isArray(value) ? value : [value];
  return files.every(isFile) ? new UploadForm(() => partsOf(files)) : null;
}

interface GivenFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const isFile = (value: unknown): value is GivenFile =>
  isPlainObject(value) && typeof value['filename'] === 'string' && typeof value['type'] === 'string' && isBytes(value['bytes']);

async function* partsOf(files: readonly GivenFile[]): AsyncGenerator<UploadPart> {
  for (const { filename, type, bytes, ...fields } of files) {
    for (const [name, field] of Object.entries<unknown>(fields))
      yield { kind: 'text', name, text: typeof field === 'string' ? field : JSON.stringify(field) };
    yield { kind: 'file', filename, type, bytes };
  }
}

const isBytes = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
