// Reads an asset (/assets/{id}): the content of a file that the caller may read, original or transformed.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { findField, lookUpCollection } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { chooseFormat, findVariant, type Original, withEnding } from '../images/find-variant.js';
import { asksForTransformation, type Parameters, readTransformation } from '../images/transformation.js';
import { type ByteRange, findStorage } from '../storage/storage.js';
import { isMediaType } from './file-payload.js';
import { asService, type FilesDeps, filesCollection } from './files-deps.js';

/** A content that the caller may read. */
export interface Asset {
  readonly type: string;
  /** Bytes of the whole content. */
  readonly size: number;
  /** Null if the caller may not read the field. */
  readonly filename: string | null;
  /** A strong entity tag with its quotes. */
  readonly etag: string;
  /** Whether the format depends on `accept`. */
  readonly negotiated: boolean;
  /** Opens the content, or a part of it. The stream has to be read to its end or destroyed. FORBIDDEN if the content is gone by now. */
  read(range?: ByteRange): Promise<Readable>;
}

export interface AssetQuestion {
  /** The key of the file, as a path carries it. */
  readonly segment: string;
  readonly parameters: Parameters;
  /** The formats the client can show, in the form of an Accept header. */
  readonly accept: string;
  /** Aborts when the client disconnects. */
  readonly signal: StopSignal;
}

export async function readAsset(deps: FilesDeps, work: Work, question: AssetQuestion): Promise<Asset> {
  const filename = await readVisibleName(deps, work, question.segment);
  const original = await readOriginal(deps, work, question.segment);
  const wanted = asksForTransformation(question.parameters)
    ? readTransformation(question.parameters, await readSettings(deps, work))
    : null;
  const negotiated = wanted?.format === 'auto';
  if (wanted === null) return assetOf(original, filename, negotiated);
  const format = chooseFormat(wanted, original, question.accept);
  const variant = await findVariant(deps, original, wanted, format, question.signal);
  const asset = assetOf(variant, filename === null ? null : withEnding(filename, format), negotiated);
  const { bytes } = variant;
  return bytes === null ? asset : { ...asset, read: async (range) => Readable.from([partOf(bytes, range)], { objectMode: false }) };
}

const partOf = (bytes: Uint8Array, range: ByteRange | undefined): Uint8Array =>
  range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);

function assetOf(stored: Original, filename: string | null, negotiated: boolean): Asset {
  const { storage, content, type, size } = stored;
  return {
    type,
    size,
    filename,
    etag: tagOf(stored),
    negotiated,
    read: async (range) => {
      const stream = await storage.read(content, range);
      if (stream === null) throw forbidden();
      return stream;
    },
  };
}

/** Throws FORBIDDEN if the caller may not read the item; resolves to the file name for the response header. */
async function readVisibleName(deps: FilesDeps, work: Work, segment: string): Promise<string | null> {
  const { view } = work.caller;
  const collection = lookUpCollection(view, filesCollection, 'read');
  const shown = ['filename_download', 'id'].filter((name) => findField(view, collection, name, 'read') !== null);
  const fields = shown.length > 0 ? shown : ['*'];
  const text = await deps.reader.itemBySegment(work, filesCollection, segment, parseQueryObject({ fields }, deps.limits));
  const { filename_download: name } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' ? name : null;
}

/** The stored content of the item. An item without content is answered as FORBIDDEN, like a missing one. */
async function readOriginal(deps: FilesDeps, work: Work, segment: string): Promise<Original> {
  const parsed = parseQueryObject({ fields: ['storage', 'filename_disk', 'type', 'width', 'height'] }, deps.limits);
  const item = JSON.parse(await deps.reader.itemBySegment(asService(deps, work), filesCollection, segment, parsed)) as {
    readonly storage: string;
    readonly filename_disk: string | null;
    readonly type: string | null;
    readonly width: number | null;
    readonly height: number | null;
  };
  const storage = findStorage(deps.storages, item.storage);
  const size = (await storage?.size(item.filename_disk ?? '')) ?? null;
  if (storage === null || size === null) throw forbidden();
  const { width, height } = item;
  return { storage, content: item.filename_disk ?? '', size, type: servedType(item.type), width, height };
}

/** What a page of this origin could load as a script or a style sheet: uploaded contents must not become code of Studio (`script-src 'self'`). */
const isCode = /^\s*(?:text|application)\/(?:x-)?(?:(?:java|ecma|j|live)script|css|wasm)/i;

/** A type written to the table directly may be anything; only a media type goes into the header. */
const servedType = (type: string | null): string =>
  type !== null && isMediaType(type) && !isCode.test(type) ? type : 'application/octet-stream';

/** The transformation settings. Anonymous callers are limited to named presets, which bounds the number of variants they can request. */
async function readSettings(deps: FilesDeps, work: Work): Promise<{ readonly allowed: unknown; readonly presets: unknown }> {
  const [row = {}] = await deps.reader.objects(asService(deps, work), 'service_settings', {
    fields: ['storage_asset_transform', 'storage_asset_presets'],
    limit: 1,
  });
  const { storage_asset_transform: allowed, storage_asset_presets: presets } = row;
  const isAnonymous = work.caller.accountability.user === null;
  const narrowed = isAnonymous && deps.options.publicTransformations === 'presets' && allowed !== 'none';
  return { allowed: narrowed ? 'presets' : allowed, presets };
}

/** Identifies the content by its name, since a stored content never changes; hashed, because the name is not public. */
const tagOf = ({ storage, content }: Original): string =>
  `"${createHash('sha256').update(`${storage.name} ${content}`).digest('base64url').slice(0, 27)}"`;
