// The system collections that have a path of their own: `/users` is `/items/service_users` by one row of this table. What is not
// rows (collections, fields, relations) has routes of its own.

export interface Resource {
  readonly path: string;
  readonly collection: string;
  /** What the service itself records is read, never written, from outside. */
  readonly readOnly: boolean;
  /** Keys a new item must name, whatever the columns would take (contract 10). */
  readonly required: readonly string[];
}

const resource = (path: string, { readOnly = false, required = [] }: Partial<Resource> = {}): Resource => ({
  path,
  collection: `service_${path}`,
  readOnly,
  required,
});

export const resources: readonly Resource[] = [
  resource('access'),
  resource('activity', { readOnly: true }),
  resource('comments', { required: ['collection', 'item', 'comment'] }),
  resource('dashboards'),
  resource('files', { required: ['type'] }),
  resource('flows'),
  resource('folders'),
  resource('notifications'),
  resource('operations'),
  resource('panels'),
  resource('permissions'),
  resource('policies'),
  resource('presets'),
  resource('revisions', { readOnly: true }),
  resource('roles'),
  resource('settings'),
  resource('shares'),
  resource('translations'),
  resource('users'),
  resource('versions'),
];

const requiredByCollection = new Map(resources.map((entry) => [entry.collection, entry.required]));

export const requiredOf = (collection: string): readonly string[] => requiredByCollection.get(collection) ?? [];
