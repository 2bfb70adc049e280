// What is behind /assets: the content of a file the caller may read, as it is or transformed.

import { createHash } from 'node:crypto';
import { findField, lookUpCollection } from '../../core/access/view.js';
import type { Work } from '../../core/engine/work.js';
import { forbidden } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { asService, type FilesContext, filesCollection } from './files-context.js';
import { chooseFormat, findVariant, type Original, withEnding } from './find-variant.js';
import { findStorage } from './storage.js';
import { asksForTransformation, type Parameters, readTransformation } from './transformation.js';

export interface Asset extends Original {
  /** Null when the caller may not read it. */
  readonly filename: string | null;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** The answer depends on what the client accepts. */
  readonly negotiated: boolean;
}

export interface AssetQuestion {
  readonly segment: string;
  readonly parameters: Parameters;
  readonly accept: string;
}

export async function readAsset(context: FilesContext, work: Work, question: AssetQuestion): Promise<Asset> {
  const filename = await readVisibleName(context, work, question.segment);
  const original = await readOriginal(context, work, question.segment);
  const wish = asksForTransformation(question.parameters)
    ? readTransformation(question.parameters, await readSettings(context, work))
    : null;
  const negotiated = wish?.format === 'auto';
  if (wish === null) return { ...original, filename, etag: tagOf(original), negotiated };
  const format = chooseFormat(wish, original.type, question.accept);
  const variant = await findVariant(context, original, wish, format);
  return { ...variant, filename: filename === null ? null : withEnding(filename, format), etag: tagOf(variant), negotiated };
}

/** Refuses what the caller may not read; answers the one thing of it that a header shows. */
async function readVisibleName(context: FilesContext, work: Work, segment: string): Promise<string | null> {
  const { view } = work.caller;
  const collection = lookUpCollection(view, filesCollection, 'read');
  const shown = ['filename_download', 'id'].filter((name) => findField(view, collection, name, 'read') !== null);
  const fields = shown.length > 0 ? shown : ['*'];
  const text = await context.reader.itemBySegment(work, filesCollection, segment, parseQueryObject({ fields }, context.limits));
  const { filename_download: name } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' ? name : null;
}

/** An item without content is as good as none. */
async function readOriginal(context: FilesContext, work: Work, segment: string): Promise<Original> {
  const parsed = parseQueryObject({ fields: ['storage', 'filename_disk', 'type'] }, context.limits);
  const item = JSON.parse(await context.reader.itemBySegment(asService(context, work), filesCollection, segment, parsed)) as {
    readonly storage: string;
    readonly filename_disk: string | null;
    readonly type: string | null;
  };
  const storage = findStorage(context.storages, item.storage);
  const size = (await storage?.size(item.filename_disk ?? '')) ?? null;
  if (storage === null || size === null) throw forbidden();
  return { storage, content: item.filename_disk ?? '', size, type: item.type ?? 'application/octet-stream' };
}

async function readSettings(context: FilesContext, work: Work): Promise<{ readonly allowed: unknown; readonly presets: unknown }> {
  const [row = {}] = await context.reader.objects(asService(context, work), 'service_settings', {
    fields: ['storage_asset_transform', 'storage_asset_presets'],
    limit: 1,
  });
  return { allowed: row['storage_asset_transform'], presets: row['storage_asset_presets'] };
}

/** A content never changes under its name. The name itself stays inside. */
const tagOf = ({ storage, content }: Original): string =>
  `"${createHash('sha256').update(`${storage.name} ${content}`).digest('base64url').slice(0, 27)}"`;
