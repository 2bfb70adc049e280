// Tools for administrators: why somebody may or may not do something, and how collections are made.

import { actions } from '../../../core/access/permission.js';
import type { Caller } from '../../../core/access/view.js';
import { choice, described, itemKey, text, withDefault } from '../../../service/operations/shape.js';
import { listCollections, listFieldsOf, listRelationsOf } from '../../../service/operations/structure/reads.js';
import { explainAccess } from '../../../service/operations/utilities.js';
import { listAnswer, valueAnswer } from './bounded-answer.js';
import { offset } from './read.js';
import { runOperation, tool } from './tool.js';

const isAdministrator = ({ accountability }: Caller): boolean => accountability.admin;

export const why = tool({
  name: 'why',
  title: 'Explain access',
  description: 'Why somebody may or may not do something: which policy, permission, rule and value decides.',
  effect: 'reads',
  input: {
    as: described(text(), 'Who: "user:<id>", "role:<id>", "policy:<id>,<id>" or "public".'),
    collection: text(),
    action: withDefault(choice(actions), 'read' as const),
    item: described(withDefault(itemKey, undefined), 'The key of an item; without it, whether any item is open.'),
    field: withDefault(text(), undefined),
  },
  isOpen: isAdministrator,
  run: async (call, input) => valueAnswer(JSON.stringify(await runOperation(call, explainAccess, input))),
});

export const structure = tool({
  name: 'structure',
  title: 'Structure and metadata',
  description:
    'Collections with their tables and metadata; with "collection", its fields or its relations, as REST answers them at /collections, /fields and /relations. It only reads.',
  effect: 'reads',
  input: {
    collection: withDefault(text(), undefined),
    part: described(withDefault(choice(['fields', 'relations']), 'fields' as const), 'Of the collection.'),
    offset,
  },
  isOpen: isAdministrator,
  run: async (call, { collection, part, offset: skipped }) => {
    const operation = collection === undefined ? listCollections : part === 'fields' ? listFieldsOf : listRelationsOf;
    const found = (await runOperation(call, operation, collection === undefined ? {} : { collection })) as readonly unknown[];
    return listAnswer(
      found
        .slice(skipped)
        .map((entry) => JSON.stringify(entry))
        .join(','),
      skipped,
    );
  },
});
