// An export that becomes a file: written by the service in the background, with what the caller may see and nothing more. The caller is
// told by a notification how it ended.

import { type Caller, lookUpCollection } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/reader.js';
import type { Work } from '../../core/engine/work.js';
import type { Writer } from '../../core/engine/writer.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse-query-object.js';
import { type ExportFormat, exportFormats, type ParsedQuery, type QueryLimits } from '../../core/query/query.js';
import { exportFacts } from './export/export-items.js';

export interface ExportFile {
  readonly filename: string;
  readonly type: string;
  readonly title: string | null;
  readonly folder: string | null;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ExportContext {
  readonly reader: Pick<Reader, 'check' | 'columns' | 'stream'>;
  readonly writer: Writer;
  readonly limits: QueryLimits;
  /** Keeps the content as an item of the files, made by this caller. */
  readonly storeFile: (caller: Caller, file: ExportFile) => Promise<void>;
  readonly serviceCaller: () => Caller;
  /** What is under way: a service that ends waits for it. */
  readonly running: Set<Promise<void>>;
  readonly report: (error: unknown) => void;
}

export interface ExportOrder {
  readonly format: ExportFormat;
  readonly parsed: ParsedQuery;
  readonly title: string | null;
  readonly folder: string | null;
}

type Payload = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function readExportOrder(body: unknown, limits: QueryLimits): ExportOrder {
  const { query, format, file = {} } = isObject(body) ? body : {};
  if (!isObject(query)) throw invalidPayload('"query" has to be an object: it says which items are meant.');
  const known = exportFormats.find((name) => name === format);
  if (known === undefined) throw invalidPayload(`"format" has to be one of ${exportFormats.join(', ')}.`);
  if (!isObject(file)) throw invalidPayload('"file" has to be an object.');
  const parsed = parseQueryObject(query, limits);
  // Without a limit of its own an export means everything.
  const all = { ...parsed, query: { ...parsed.query, limit: parsed.query.limit ?? -1 } };
  return { format: known, parsed: all, title: textOrNull(file['title']), folder: textOrNull(file['folder']) };
}

/** Refuses at once what cannot be; the rest happens behind the answer. */
export function startExport(context: ExportContext, work: Work, collection: string, order: ExportOrder): void {
  lookUpCollection(work.caller.view, collection, 'read');
  lookUpCollection(work.caller.view, 'service_files', 'create');
  context.reader.check(work, collection, order.parsed);
  const running = finishExport(context, work, collection, order)
    .catch(context.report)
    .finally(() => context.running.delete(running));
  context.running.add(running);
}

async function finishExport(context: ExportContext, work: Work, collection: string, order: ExportOrder): Promise<void> {
  try {
    await context.storeFile(work.caller, exportFile(context, work, collection, order));
    await notify(context, work.caller, 'Your export is ready', `The export of "${collection}" is among the files now.`);
  } catch (error) {
    context.report(error);
    await notify(context, work.caller, 'Your export failed', `The export of "${collection}" could not be finished.`);
  }
}

function exportFile({ reader }: ExportContext, work: Work, collection: string, { format, parsed, title, folder }: ExportOrder): ExportFile {
  const { contentType, extension, write } = exportFacts[format];
  const text = write(reader.stream(work, collection, parsed), reader.columns(work, collection, parsed));
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  return {
    filename: `${collection}-${time}.${extension}`,
    type: contentType,
    title,
    folder,
    bytes: encode(text),
  };
}

async function* encode(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) if (chunk !== '') yield Buffer.from(chunk);
}

async function notify(
  { writer, serviceCaller }: ExportContext,
  { accountability }: Caller,
  subject: string,
  message: string,
): Promise<void> {
  const { user: recipient } = accountability;
  if (recipient === null) return;
  await writer.transaction(serviceCaller(), (work) => writer.create(work, 'service_notifications', [{ recipient, subject, message }]));
}
