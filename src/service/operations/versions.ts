// What versions have besides their items: saving changes into one, comparing it, promoting it.

import { compareVersion as compare } from '../history/versions/compare-version.js';
import { promoteVersion as promote } from '../history/versions/promote-version.js';
import { saveVersion as save } from '../history/versions/save-version.js';
import { may, onSome } from './open-rule.js';
import { type Operation, operation } from './operation.js';
import { boolean, described, document, key, list, object, optional, type Shape, text, withDefault } from './shape.js';

const tag = 'service_versions';
const read = may('read', 'service_versions');

export const saveVersion = operation({
  id: 'saveVersion',
  tag,
  summary: 'Keep changes in a version; answers the item with them',
  input: { id: key, data: document() },
  output: withDefault(document(), undefined),
  open: ['users', read, may('update', 'service_versions')],
  once: 'in-transaction',
  run: ({ deps, transaction }, { id, data }) => transaction((work) => save(deps.versions, work, String(id), data)),
});

export const compareVersion = operation({
  id: 'compareVersion',
  tag,
  summary: 'Compare a version with its item',
  input: { id: key },
  output: object({
    outdated: boolean,
    mainHash: text(),
    current: document(),
    main: document(),
    lost: described(withDefault(list(text()), undefined), 'Changes whose field is gone: the version reads and is promoted without them.'),
  }),
  open: [read],
  once: 'never',
  run: ({ deps, work }, { id }) => compare(deps.versions, work, String(id)),
});

export const promoteVersion = operation({
  id: 'promoteVersion',
  tag,
  summary: "Make a version's changes the item's own",
  input: {
    id: key,
    mainHash: described(text(), 'As in the comparison of the version.'),
    fields: described(optional(list(text())), 'The fields to promote; all without it.'),
  },
  output: key as Shape<unknown>,
  open: [read, onSome('update')],
  once: 'in-transaction',
  run: ({ deps, transaction }, { id, ...promotion }) => transaction((work) => promote(deps.versions, work, String(id), promotion)),
});

export const versionOperations: readonly Operation[] = [saveVersion, compareVersion, promoteVersion];
