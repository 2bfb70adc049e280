// Tools over collections of the service: what happened to items, and which files there are.

import { type Caller, findCollection, findField, lookUpCollection } from '../../../core/access/view.js';
import { partsOfKey, segmentOfKey } from '../../../service/operations/carried-values.js';
import { described, itemKey, text, withDefault } from '../../../service/operations/shape.js';
import { limit, offset, readList } from './read.js';
import { tool, userCollection } from './tool.js';

const revisionsCollection = 'service_revisions';
const activityCollection = 'service_activity';
const filesCollection = 'service_files';

/** Those that the caller may read; tables that another server made lack some of them. */
function visible({ view }: Caller, name: string, fields: readonly string[]): readonly string[] {
  const collection = lookUpCollection(view, name, 'read');
  return fields.filter((field) => findField(view, collection, field, 'read') !== null);
}

const ofActivity = ['id', 'action', 'user', 'timestamp', 'item', 'user_agent', 'access_key_name'];

export const history = tool({
  name: 'history',
  title: 'History of an item',
  description:
    'Who changed an item, when, and which values it got; the latest first. Without a key: what was done to the items of the collection.',
  effect: 'reads',
  input: { collection: text(), key: withDefault(itemKey, undefined), limit, offset },
  isOpen: ({ view }) => findCollection(view, activityCollection, 'read') !== null,
  run: async (call, { collection: name, key, ...page }) => {
    const { caller } = call.work;
    const collection = userCollection(caller, name, 'read');
    const about = { collection: { _eq: name } };
    if (key === undefined) {
      const fields = visible(caller, activityCollection, ofActivity);
      return readList(call, activityCollection, { fields, filter: about, sort: ['-id'], ...page });
    }
    const item = { item: { _eq: collection.primaryKey.length > 1 ? segmentOfKey(partsOfKey(collection, key)) : String(key) } };
    const own = visible(caller, revisionsCollection, ['id', 'delta', 'previous']);
    const behind = visible(caller, revisionsCollection, ['activity']).flatMap((step) =>
      visible(caller, activityCollection, ofActivity).map((field) => `${step}.${field}`),
    );
    return readList(call, revisionsCollection, { fields: [...own, ...behind], filter: { _and: [about, item] }, sort: ['-id'], ...page });
  },
});

const ofFiles = [
  ...['id', 'title', 'filename_download', 'type', 'filesize', 'width', 'height', 'duration'],
  ...['description', 'tags', 'folder', 'uploaded_on', 'uploaded_by', 'modified_on'],
];

export const files = tool({
  name: 'files',
  title: 'Find files',
  description: 'Files by name, title or description. The content of one is at /assets/{id}, for the same key.',
  effect: 'reads',
  input: {
    search: withDefault(text(), undefined),
    folder: described(withDefault(text(), undefined), 'Only those in the folder of this id.'),
    id: described(withDefault(text(), undefined), 'Only this file.'),
    limit,
    offset,
  },
  isOpen: ({ view }) => findCollection(view, filesCollection, 'read') !== null,
  run: async (call, { search, folder, id, ...page }) => {
    const filter = {
      _and: [...(folder === undefined ? [] : [{ folder: { _eq: folder } }]), ...(id === undefined ? [] : [{ id: { _eq: id } }])],
    };
    return readList(call, filesCollection, {
      fields: visible(call.work.caller, filesCollection, ofFiles),
      filter,
      search,
      sort: ['id'],
      ...page,
    });
  },
});
