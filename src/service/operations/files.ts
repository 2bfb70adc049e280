// Files with their contents: uploads, replacements, imports from a URL, and reading them. In all else they are items of service_files.

import type { TransactionWork } from '../../core/engine/work/transaction.js';
import type { Key } from '../../core/engine/work/work.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { fits, formats, maxSide } from '../files/images/transformation.js';
import { filesCollection } from '../files/transfer/files-deps.js';
import { importFile as fetchFile } from '../files/transfer/import-file.js';
import { keepContents } from '../files/transfer/keep-contents.js';
import { readAsset as findAsset } from '../files/transfer/read-asset.js';
import { type ReceivedFile, receiveUpload, withDefaults } from '../files/transfer/receive-upload.js';
import { type CarriedQuery, type JsonText, parseQuery, segmentOfKey, UrlQuery } from './carried-values.js';
import { checkMatch } from './items/check-match.js';
import { makeTag } from './items/entity-tag.js';
import { keyOfSegment } from './items/item-target.js';
import { checkAnswer } from './items/write-operation.js';
import { may } from './open-rule.js';
import { type Call, type Operation, Outcome, operation } from './operation.js';
import {
  boolean,
  choice,
  content,
  described,
  document,
  headerValue,
  integer,
  itemKey,
  key,
  matching,
  oneOrMany,
  optional,
  query,
  text,
  uploads,
  withDefault,
} from './shape.js';

const tag = filesCollection;
const answered = { query: withDefault(query('written'), {}) };
const item = document();

export const uploadFiles = operation({
  id: 'uploadFiles',
  tag,
  summary: 'Create files with their contents',
  input: { file: uploads, ...answered },
  output: optional(oneOrMany(item)),
  open: [may('create', filesCollection)],
  once: 'in-transaction',
  run: (call, { file, query: asked }) =>
    store(call, asked, {
      receive: () => receiveUpload(call.deps.files, call.caller, file.parts()),
      write: (work, received) => create(call, work, received),
    }),
});

export const replaceFile = operation({
  id: 'replaceFile',
  tag,
  summary: 'Give a file another content',
  input: { id: itemKey, file: uploads, match: optional(headerValue), ...answered },
  output: optional(item),
  open: [may('update', filesCollection)],
  once: 'in-transaction',
  run: (call, { id, file, match, query: asked }) => {
    const { deps, caller } = call;
    const segment = segmentOfKey(id);
    return store(call, asked, {
      receive: () => receiveUpload(deps.files, caller, file.parts()),
      write: async (work, [received, ...more]) => {
        if (received === undefined || more.length > 0) throw invalidPayload('A file has one content, and the form holds several.');
        if (match !== null) await checkMatch(deps, work, filesCollection, segment, match);
        return deps.writer.update(work, filesCollection, [keyOfSegment(caller, filesCollection, segment)], received.payload);
      },
    });
  },
});

const webAddress = matching(/^https?:/i, 'an address that begins with http:// or https://');

export const importFile = operation({
  id: 'importFile',
  tag,
  summary: 'Fetch a file by its address',
  input: { url: text({ format: 'uri', form: webAddress }), data: withDefault(document(), {}), ...answered },
  output: optional(item),
  open: [may('create', filesCollection)],
  once: 'in-transaction',
  run: async (call, { url, data, query: asked }) =>
    // A repeated request gets the stored answer and fetches nothing.
    (await call.recall()) ??
    store(call, asked, {
      receive: async () => [await fetchFile(call.deps.files, url, data)],
      write: (work, received) => create(call, work, received),
      keyed: 'input',
    }),
});

/** The operation passes them on as they come: `readTransformation` reads them, and presets from the settings alike. */
const assetParameters = {
  width: described(optional(integer(1, maxSide)), 'Width of the image, in pixels.'),
  height: described(optional(integer(1, maxSide)), 'Height of the image, in pixels.'),
  fit: described(optional(choice(fits)), 'How the image fills both.'),
  format: described(optional(choice(['auto', 'jpg', ...formats])), '`auto` is the best the client accepts.'),
  quality: described(optional(integer(1, 100)), 'From 1 to 100.'),
  withoutEnlargement: described(optional(boolean), 'Small images stay small.'),
  key: described(optional(text()), 'A preset of the settings, instead of the others.'),
  download: described(optional(boolean), 'Over HTTP: as a file to keep.'),
};

export const readAsset = operation({
  id: 'readAsset',
  tag,
  summary: 'The content of a file, as it is or transformed',
  input: {
    id: key,
    parameters: withDefault(document({ members: assetParameters }), {}),
    accept: withDefault(headerValue, ''),
  },
  output: content,
  open: [may('read', filesCollection)],
  once: 'never',
  run: ({ deps, work, signal }, { id, parameters, accept }) =>
    findAsset(deps.files, work, { segment: segmentOfKey(id), parameters, accept, signal: signal() }),
});

interface Storing {
  receive(): Promise<readonly ReceivedFile[]>;
  /** Runs in the transaction that the items are answered from. */
  write(work: TransactionWork, received: readonly ReceivedFile[]): Promise<readonly Key[]>;
  /** Whether the input identifies the request under its Idempotency-Key; by default the received files do. */
  readonly keyed?: 'input';
}

/** What the answer needs is checked before a byte is received. */
async function store({ deps, caller, textTransaction }: Call, asked: CarriedQuery, storing: Storing): Promise<Outcome<JsonText>> {
  const parsed = checkAnswer(deps, caller, filesCollection, parseQuery(asked, deps.limits));
  const received = await storing.receive();
  const contents = received.map(({ content }) => content);
  const keyed = storing.keyed === 'input' ? {} : { asked: { query: asked, files: received.map(({ payload }) => payload) } };
  const answer = await keepContents(deps.files, caller, contents, (author) =>
    textTransaction(
      async (work) => {
        const keys = await storing.write(work, received);
        const items = parsed === null ? '' : await deps.reader.itemsInOrder(work, filesCollection, parsed, keys);
        return () => (items === '' ? 'null' : received.length === 1 ? items : `[${items}]`);
      },
      { caller: author, ...keyed },
    ),
  );
  const isTagged = asked instanceof UrlQuery && received.length === 1 && answer.text !== 'null';
  return new Outcome(answer, { etag: isTagged ? makeTag(asked.text, answer.text) : null });
}

const create = async ({ deps }: Call, work: TransactionWork, received: readonly ReceivedFile[]): Promise<readonly Key[]> =>
  deps.writer.create(work, filesCollection, await withDefaults(deps.files, work, received));

export const fileOperations: readonly Operation[] = [uploadFiles, replaceFile, importFile, readAsset];
