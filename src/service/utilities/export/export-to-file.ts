// Exports to a file item, in the background and with the caller's permissions. A notification tells the caller how it ended.

import { type Caller, lookUpCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Key, Work } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import type { ExportFormat, ParsedQuery, QueryLimits } from '../../../core/query/query.js';
import { type FilesDeps, filesCollection } from '../../files/transfer/files-deps.js';
import { keepContents } from '../../files/transfer/keep-contents.js';
import { receiveUpload, type UploadPart } from '../../files/transfer/receive-upload.js';
import { exportFacts } from './export-items.js';

export interface ExportFile {
  readonly filename: string;
  readonly type: string;
  readonly title: string | null;
  readonly folder: string | null;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ExportDeps {
  readonly reader: Pick<Reader, 'check' | 'columns' | 'stream'>;
  readonly writer: Writer;
  readonly limits: QueryLimits;
  /** Stores the content as a file item, created by this caller. */
  readonly storeFile: (caller: Caller, file: ExportFile) => Promise<Key | null>;
  readonly serviceCaller: () => Caller;
  /** The exports in progress; the service waits for them before it ends. */
  readonly running: Set<Promise<void>>;
  readonly report: (error: unknown) => void;
}

export interface ExportOrder {
  readonly format: ExportFormat;
  readonly parsed: ParsedQuery;
  readonly title: string | null;
  readonly folder: string | null;
}

/** Refuses immediately what can be refused; the export itself runs after the answer. */
export function startExport(deps: ExportDeps, work: Work, collection: string, order: ExportOrder): void {
  lookUpCollection(work.caller.view, collection, 'read');
  lookUpCollection(work.caller.view, 'service_files', 'create');
  deps.reader.check(work, collection, order.parsed);
  // Without a limit in the query, the export has all items.
  const { parsed } = order;
  const all = { ...order, parsed: { ...parsed, query: { ...parsed.query, limit: parsed.query.limit ?? -1 } } };
  const running = finishExport(deps, work, collection, all)
    .catch(deps.report)
    .finally(() => deps.running.delete(running));
  deps.running.add(running);
}

async function finishExport(deps: ExportDeps, work: Work, collection: string, order: ExportOrder): Promise<void> {
  try {
    const key = await deps.storeFile(work.caller, exportFile(deps, work, collection, order));
    await notify(deps, work.caller, {
      subject: 'Your export is ready',
      message: `The export of "${collection}" is among the files now.`,
      ...(key === null ? {} : { collection: work.caller.view.schema.nameOf('service_files'), item: String(key) }),
    });
  } catch (error) {
    deps.report(error);
    await notify(deps, work.caller, {
      subject: 'Your export failed',
      message: `The export of "${collection}" could not be finished.`,
    });
  }
}

function exportFile({ reader }: ExportDeps, work: Work, collection: string, { format, parsed, title, folder }: ExportOrder): ExportFile {
  const { contentType, extension, write } = exportFacts[format];
  const text = write(reader.stream(work, collection, parsed), reader.columns(work, collection, parsed));
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  return {
    filename: `export-${collection}-${time}.${extension}`,
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
  { writer, serviceCaller }: ExportDeps,
  { accountability }: Caller,
  notification: Readonly<Record<string, string>>,
): Promise<void> {
  const { user: recipient } = accountability;
  if (recipient === null) return;
  await writer.transaction(serviceCaller(), (work) => writer.create(work, 'service_notifications', [{ recipient, ...notification }]));
}

/** Stores the content as a file item and resolves to its key. */
export async function keepFile(files: FilesDeps, writer: Writer, caller: Caller, file: ExportFile): Promise<Key | null> {
  const received = await receiveUpload(files, caller, partsOf(file));
  const contents = received.map(({ content }) => content);
  const details = { ...(file.title === null ? {} : { title: file.title }), ...(file.folder === null ? {} : { folder: file.folder }) };
  const payloads = received.map(({ payload }) => ({ ...payload, ...details }));
  const [key = null] = await keepContents(files, caller, contents, (author) =>
    writer.transaction(author, (work) => writer.create(work, filesCollection, payloads)),
  );
  return key;
}

async function* partsOf({ filename, type, bytes }: ExportFile): AsyncGenerator<UploadPart> {
  yield { kind: 'file', filename, type, bytes };
}
