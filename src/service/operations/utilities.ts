// Small tools, and operations that move many items at once.

import { actions } from '../../core/access/permission.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import { exportFormats } from '../../core/query/query.js';
import { mailStates, tryMail as sendTrial } from '../auth/account/try-mail.js';
import { parseViewTarget } from '../auth/session/view-as.js';
import { hashPassword, verifyPassword } from '../secrets/hash-password.js';
import { randomToken } from '../secrets/token.js';
import { type AccessExplanation, accessReasons, explainAccess as explain } from '../utilities/explain-access.js';
import { startExport } from '../utilities/export/export-to-file.js';
import { importCollections as importInto, importModes, refuseImport } from '../utilities/import/import-collections.js';
import { importItems as importFile } from '../utilities/import/import-items.js';
import { withImportFile } from '../utilities/import/receive-import.js';
import { revertItem } from '../utilities/revert-item.js';
import { sortItems as sort } from '../utilities/sort-items.js';
import { partsOfKey } from './carried-values.js';
import { may, onNamed, onSome } from './open-rule.js';
import { type Operation, operation } from './operation.js';
import {
  answer,
  boolean,
  choice,
  described,
  document,
  integer,
  itemKey,
  json,
  key,
  list,
  nothing,
  object,
  optional,
  text,
  upload,
  withDefault,
} from './shape.js';

const tag = 'utilities';

export const randomString = operation({
  id: 'randomString',
  tag,
  summary: 'A random text',
  input: { length: described(withDefault(integer(1, 500), 32), 'Number of characters, up to 500.') },
  output: text(),
  open: ['everybody'],
  once: 'never',
  run: (_call, { length }) => randomToken(length),
});

/** Hashing is costly: only users may ask for it. */
export const generateHash = operation({
  id: 'generateHash',
  tag,
  summary: 'Hash a text',
  input: { string: text() },
  output: text(),
  open: ['users'],
  once: 'never',
  run: (_call, input) => hashPassword(input.string),
});

export const verifyHash = operation({
  id: 'verifyHash',
  tag,
  summary: 'Compare a text with a hash',
  input: { string: text(), hash: text() },
  output: boolean,
  open: ['users'],
  once: 'never',
  run: (_call, input) => verifyPassword(input.hash, input.string),
});

export const sortItems = operation({
  id: 'sortItems',
  tag,
  summary: 'Move an item to the place of another',
  input: { collection: text(), item: key, to: key },
  output: nothing,
  open: [onNamed('update')],
  once: 'in-transaction',
  run: ({ deps, transaction }, { collection, ...move }) => transaction((work) => sort(deps, work, collection, move)),
});

export const revert = operation({
  id: 'revert',
  tag,
  summary: 'Revert an item to a revision, or create a deleted one again',
  input: { revision: key },
  output: nothing,
  open: [may('read', 'service_revisions')],
  once: 'in-transaction',
  run: ({ deps, transaction }, { revision }) => transaction((work) => revertItem(deps, work, String(revision))),
});

export const importItems = operation({
  id: 'importItems',
  tag,
  summary: 'Create items from a file: CSV, JSON or NDJSON',
  input: { collection: text(), file: upload },
  output: nothing,
  open: [onNamed('create')],
  once: 'in-transaction',
  run: async ({ deps, caller, transaction }, { collection, file }) =>
    withImportFile(await file.open(), (received) =>
      importFile(deps.writer, caller, collection, received, (write) =>
        transaction(write, { asked: { collection, file: received.digest } }),
      ),
    ),
});

const collectionItems = object({ collection: text(), items: list(document()) });

export const importCollections = operation({
  id: 'importCollections',
  tag,
  summary: 'Create or update items of several collections',
  input: {
    data: list(collectionItems, { entry: 'Entry', expected: 'a list of {"collection", "items"}' }),
    mode: described(withDefault(choice(importModes, 'import_mode'), 'add' as const), '`merge` lays items over those of the same key.'),
    dry_run: described(withDefault(boolean, false), 'Reports what the import would do, and changes nothing.'),
    dangerously_allow_delete: described(withDefault(boolean, false), 'With `mode=merge`: deletes the items that the import does not name.'),
  },
  output: document(),
  open: [onSome('create')],
  once: 'in-transaction',
  run: async ({ deps, transaction }, { data, mode, dry_run: dryRun, dangerously_allow_delete: allowDelete }) => {
    const choices = { mode, allowDelete };
    refuseImport(data, choices);
    const collections = await transaction((work) => importInto(deps, work, data, choices), { dryRun });
    return { applied: !dryRun, mode, collections };
  },
});

export const exportItems = operation({
  id: 'exportItems',
  tag,
  summary: 'Export items into a file',
  input: {
    collection: text(),
    query: document({ expected: 'an object: it says which items are meant' }),
    format: choice(exportFormats),
    file: withDefault(object({ title: optional(text()), folder: optional(text()) }), { title: null, folder: null }),
  },
  output: nothing,
  open: [onNamed('read'), may('create', 'service_files')],
  // The export runs after the answer; a notification reports its result.
  once: 'apart',
  run: ({ deps, work }, { collection, query, format, file }) =>
    startExport(deps.exports, work, collection, { format, parsed: parseQueryObject(query, deps.limits), ...file }),
});

/** Not stored under an Idempotency-Key, because a repeated test asks for the present state. */
export const tryMail = operation({
  id: 'tryMail',
  tag,
  summary: 'Send a test mail to the own address, and return the answer of the mail server',
  input: {},
  output: object(
    { to: text(), state: choice(mailStates, 'mail_state'), message: described(text(), 'What the mail server said, or what to do.') },
    { name: 'mail_trial' },
  ),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }) => sendTrial(deps.auth, caller),
});

export const clearCache = operation({
  id: 'clearCache',
  tag,
  summary: 'Forget what was remembered of the database',
  input: {},
  output: nothing,
  open: ['administrators'],
  once: 'never',
  run: ({ deps }) => deps.clearCache(),
});

const condition = object({ path: list(text()), field: text(), operator: text(), operand: json, value: json }, { name: 'access_condition' });

const explained = object(
  {
    policy: object({ id: text(), name: optional(text()) }, { name: 'access_policy' }),
    id: optional(integer(0, Number.MAX_SAFE_INTEGER)),
    rule: json,
    fields: list(text()),
    covers_item: optional(boolean),
    covers_field: optional(boolean),
    failed: list(condition),
  },
  { name: 'access_permission' },
);

export const explainAccess = operation({
  id: 'explainAccess',
  tag,
  summary: 'Why somebody may or may not do something: which policy, permission, rule and value decides',
  input: {
    as: described(text(), 'Who: `user:<id>`, `role:<id>`, `policy:<id>,<id>` or `public`.'),
    collection: text(),
    action: withDefault(choice(actions), 'read' as const),
    item: described(optional(itemKey), 'The key of an item; without it, whether any item is open.'),
    field: optional(text()),
  },
  output: answer<AccessExplanation>(
    { allowed: boolean, reason: choice(accessReasons), message: text(), permissions: list(explained) },
    'access_explanation',
  ),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, work, client }, { as, item, ...question }) => {
    const key = item === null ? null : (of: Parameters<typeof partsOfKey>[0]) => partsOfKey(of, item);
    return explain(deps, work, client, { ...question, key, target: parseViewTarget(as) });
  },
});

export const utilityOperations: readonly Operation[] = [
  randomString,
  generateHash,
  verifyHash,
  sortItems,
  revert,
  importItems,
  importCollections,
  exportItems,
  tryMail,
  clearCache,
  explainAccess,
];
