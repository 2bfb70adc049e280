// A project in the form in which template tools keep one: the answers of a server on PostgreSQL, to be sent to another server as they are.

// biome-ignore lint/suspicious/noExplicitAny: whole answers of an API
type Row = any;

export const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';
const ids = {
  fern: '0d4bbf8e-8f0e-4d6b-9a51-6a5d0a4d1f01',
  moss: '0d4bbf8e-8f0e-4d6b-9a51-6a5d0a4d1f02',
  gardener: '1a3c5e70-2b4d-4f60-8a1b-3c5d7e9f0a11',
  bot: '2b4d6f81-3c5e-4071-9b2c-4d6e8f0a1b22',
  role: '3c5e7092-4d6f-4182-8c3d-5e7f90a1b233',
  policy: '4d6f81a3-5e70-4293-9d4e-6f80a1b2c344',
  access: '5e7092b4-6f81-43a4-8e5f-7091b2c3d455',
  folder: '6f81a3c5-7092-44b5-9f60-81a2c3d4e566',
  shelf: '6f81a3c5-7092-44b5-9f60-81a2c3d4e567',
  picture: '7092b4d6-81a3-45c6-8071-92b3d4e5f677',
  flow: '81a3c5e7-92b4-46d7-9182-a3c4e5f60788',
  first: '92b4d6f8-a3c5-47e8-8293-b4d5f6071899',
  second: '92b4d6f8-a3c5-47e8-8293-b4d5f607189a',
  dashboard: 'a3c5e709-b4d6-48f9-93a4-c5e607182900',
  panel: 'b4d6f81a-c5e7-490a-84b5-d6f708192a11',
} as const;
export const templateIds = ids;

interface Column {
  readonly key?: true;
  readonly data?: string;
  readonly required?: true;
  readonly unique?: true;
  readonly length?: number;
  readonly preset?: unknown;
  readonly special?: readonly string[];
  readonly points?: string;
  readonly numbered?: true;
}

const dataTypes: Readonly<Record<string, string>> = { string: 'character varying', timestamp: 'timestamp with time zone' };

function column(collection: string, field: string, type: string, sort: number, of: Column = {}): Row {
  const numeric = type === 'integer';
  return {
    collection,
    field,
    type,
    schema: {
      name: field,
      table: collection,
      data_type: of.data ?? dataTypes[type] ?? type,
      default_value: of.numbered ? `nextval('${collection}_id_seq'::regclass)` : (of.preset ?? null),
      generation_expression: null,
      max_length: of.length ?? (type === 'string' ? 255 : null),
      numeric_precision: numeric ? 32 : null,
      numeric_scale: numeric ? 0 : null,
      is_generated: false,
      is_nullable: !(of.key || of.required),
      is_unique: of.key === true || of.unique === true,
      is_indexed: false,
      is_primary_key: of.key === true,
      has_auto_increment: of.numbered === true,
      foreign_key_schema: of.points === undefined ? null : 'public',
      foreign_key_table: of.points ?? null,
      foreign_key_column: of.points === undefined ? null : 'id',
      comment: null,
    },
    meta: meta(collection, field, sort, of.special ?? null, of.required === true),
  };
}

const alias = (collection: string, field: string, sort: number, special: readonly string[]): Row => ({
  collection,
  field,
  type: 'alias',
  schema: null,
  meta: meta(collection, field, sort, special, false),
});

const meta = (collection: string, field: string, sort: number, special: readonly string[] | null, required: boolean): Row => ({
  collection,
  field,
  special,
  interface: 'input',
  options: null,
  display: null,
  display_options: null,
  readonly: false,
  hidden: false,
  sort,
  width: 'full',
  translations: null,
  note: `About ${field}`,
  conditions: null,
  required,
  group: null,
  validation: null,
  validation_message: null,
});

const table = (
  collection: string,
  more: object = {},
  schema: object | null = { schema: 'public', name: collection, comment: null },
): Row => ({
  collection,
  meta: {
    collection,
    icon: null,
    note: null,
    display_template: null,
    hidden: false,
    singleton: false,
    translations: null,
    archive_field: null,
    archive_app_filter: true,
    archive_value: null,
    unarchive_value: null,
    sort_field: null,
    accountability: 'all',
    color: null,
    item_duplication_fields: null,
    sort: 1,
    group: 'garden',
    collapse: 'open',
    preview_url: null,
    versioning: false,
    ...more,
  },
  schema,
});

function relation(collection: string, field: string, related: string | null, more: object = {}): Row {
  return {
    collection,
    field,
    related_collection: related,
    schema:
      related === null
        ? null
        : {
            constraint_name: `${collection}_${field}_foreign`,
            table: collection,
            column: field,
            foreign_key_schema: 'public',
            foreign_key_table: related,
            foreign_key_column: 'id',
            on_update: 'NO ACTION',
            on_delete: 'SET NULL',
          },
    meta: {
      many_collection: collection,
      many_field: field,
      one_collection: related,
      one_field: null,
      one_collection_field: null,
      one_allowed_collections: null,
      junction_field: null,
      sort_field: null,
      one_deselect_action: 'nullify',
      ...more,
    },
  };
}

export const structure = {
  collections: [
    table('garden', { group: null }, null),
    table('beds', { sort_field: 'sort' }),
    table('plants', { versioning: true }),
    table('bed_parts', { hidden: true }),
    table('signs'),
    table('opening', { singleton: true }),
  ] as readonly Row[],
  fields: [
    column('beds', 'id', 'uuid', 1, { key: true, special: ['uuid'] }),
    column('beds', 'name', 'string', 2, { required: true, unique: true }),
    column('beds', 'sort', 'integer', 3),
    column('beds', 'plan', 'json', 4, { special: ['cast-json'] }),
    column('beds', 'made', 'timestamp', 5, { special: ['date-created'] }),
    column('beds', 'keeper', 'uuid', 6, { points: 'directus_users', special: ['user-created'] }),
    column('beds', 'picture', 'uuid', 7, { points: 'directus_files', special: ['file'] }),
    alias('beds', 'plants', 8, ['o2m']),
    alias('beds', 'parts', 9, ['m2a']),
    alias('beds', 'notes', 10, ['alias', 'no-data']),
    column('plants', 'id', 'integer', 1, { key: true, numbered: true }),
    column('plants', 'latin', 'string', 2, { length: 80, required: true }),
    column('plants', 'bed', 'uuid', 3, { points: 'beds', special: ['m2o'] }),
    column('plants', 'state', 'string', 4, { preset: 'seed', required: true }),
    column('plants', 'tall', 'float', 5, { data: 'real' }),
    column('plants', 'planted', 'date', 6),
    column('bed_parts', 'id', 'integer', 1, { key: true, numbered: true }),
    column('bed_parts', 'bed', 'uuid', 2, { points: 'beds' }),
    column('bed_parts', 'item', 'string', 3),
    column('bed_parts', 'collection', 'string', 4),
    column('signs', 'id', 'uuid', 1, { key: true, special: ['uuid'] }),
    column('signs', 'words', 'text', 2),
    column('opening', 'id', 'integer', 1, { key: true, numbered: true }),
    column('opening', 'from', 'string', 2),
    alias('directus_users', 'beds', 1, ['o2m']),
    column('directus_users', 'boots', 'integer', 2),
  ] as readonly Row[],
  relations: [
    relation('beds', 'keeper', 'directus_users', { one_field: 'beds' }),
    relation('beds', 'picture', 'directus_files'),
    relation('plants', 'bed', 'beds', { one_field: 'plants' }),
    relation('bed_parts', 'bed', 'beds', { one_field: 'parts', junction_field: 'item' }),
    relation('bed_parts', 'item', null, {
      one_collection_field: 'collection',
      one_allowed_collections: ['signs', 'directus_files'],
      junction_field: 'bed',
    }),
  ] as readonly Row[],
};

export const access = {
  roles: [
    { id: ids.role, name: 'Gardeners', icon: 'eco', description: 'They dig', parent: null, children: null, users: null, policies: null },
  ],
  policies: [
    {
      id: publicPolicy,
      name: '$t:public_label',
      icon: 'public',
      admin_access: false,
      app_access: false,
      enforce_tfa: false,
      ip_access: null,
    },
    {
      id: ids.policy,
      name: 'Digging',
      icon: 'badge',
      description: null,
      ip_access: null,
      enforce_tfa: false,
      admin_access: false,
      app_access: true,
    },
  ],
  permissions: [
    ['plants', 'read', publicPolicy],
    ['directus_files', 'read', publicPolicy],
    ['beds', 'update', ids.policy],
    ['directus_users', 'read', ids.policy],
  ].map(([collection, action, policy]) => ({
    collection,
    action,
    policy,
    permissions: {},
    validation: null,
    presets: null,
    fields: ['*'],
  })) as readonly Row[],
  users: [
    {
      id: ids.bot,
      first_name: 'Watering',
      last_name: 'Bot',
      location: null,
      title: null,
      description: null,
      tags: ['water'],
      avatar: ids.picture,
      language: null,
      tfa_secret: null,
      status: 'active',
      role: null,
      last_access: null,
      provider: 'default',
      external_identifier: null,
      auth_data: null,
      email_notifications: true,
      appearance: null,
      text_direction: 'auto',
      theme_dark: null,
      theme_light: null,
      theme_light_overrides: null,
      theme_dark_overrides: null,
      beds: null,
    },
  ] as readonly Row[],
  access: [{ id: ids.access, user: ids.bot, policy: ids.policy, sort: 1 }] as readonly Row[],
};

export const files = {
  folders: [
    { id: ids.shelf, name: 'Shelf', parent: ids.folder },
    { id: ids.folder, name: 'Pictures', parent: null },
  ],
  pixel: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
};

export const content: Readonly<Record<string, readonly Row[]>> = {
  beds: [
    {
      id: ids.fern,
      name: 'Ferns',
      sort: 1,
      plan: { rows: 3 },
      made: '2024-03-01T10:00:00.000Z',
      keeper: ids.bot,
      picture: ids.picture,
      plants: [2, 1],
      parts: [1, 2],
    },
    {
      id: ids.moss,
      name: 'Moss',
      sort: 2,
      plan: null,
      made: '2024-03-02T10:00:00.000Z',
      keeper: null,
      picture: null,
      plants: [],
      parts: [],
    },
  ],
  plants: [
    { id: 1, latin: 'Dryopteris filix-mas', bed: ids.fern, state: 'grown', tall: 1.5, planted: '2020-05-01' },
    { id: 2, latin: 'Athyrium filix-femina', bed: ids.fern, state: 'seed', tall: null, planted: null },
  ],
  bed_parts: [
    { id: 1, bed: ids.fern, item: ids.gardener, collection: 'signs' },
    { id: 2, bed: ids.fern, item: ids.picture, collection: 'directus_files' },
  ],
  signs: [{ id: ids.gardener, words: 'Keep off the ferns' }],
};
export const singletons: Readonly<Record<string, Row>> = { opening: { id: 1, from: 'nine' } };

export const automation = {
  dashboards: [
    {
      id: ids.dashboard,
      name: 'Growth',
      icon: 'eco',
      note: null,
      date_created: '2024-09-12T20:44:53.881Z',
      user_created: null,
      color: null,
    },
  ],
  panels: [
    {
      id: ids.panel,
      dashboard: ids.dashboard,
      name: 'How many',
      icon: null,
      color: null,
      show_header: true,
      note: null,
      type: 'metric',
      position_x: 1,
      position_y: 1,
      width: 10,
      height: 6,
      options: { collection: 'directus_files', function: 'count', field: 'id' },
      date_created: '2024-09-12T20:57:38.458Z',
      user_created: null,
    },
  ],
  flows: [
    {
      id: ids.flow,
      name: 'Water',
      icon: 'water',
      color: null,
      description: null,
      status: 'inactive',
      trigger: 'event',
      accountability: 'all',
      options: { type: 'action', scope: ['items.create'], collections: ['beds', 'directus_files'] },
      operation: ids.first,
      date_created: '2024-09-13T03:26:25.396Z',
      user_created: null,
      operations: null,
    },
  ],
  operations: [ids.first, ids.second].map((id, index) => ({
    id,
    name: `Step ${index}`,
    key: `step_${index}`,
    type: 'log',
    position_x: 19 * index + 1,
    position_y: 1,
    options: { message: 'wet' },
    resolve: index === 0 ? ids.second : null,
    reject: null,
    flow: ids.flow,
    date_created: '2024-12-19T15:26:30.553Z',
    user_created: null,
  })) as readonly Row[],
  presets: [
    {
      bookmark: null,
      user: null,
      role: null,
      collection: 'directus_files',
      layout: 'cards',
      layout_query: { cards: { sort: ['-uploaded_on'] } },
    },
  ],
  translations: [{ id: 'c5e7092b-d6f8-4a1b-85c6-e7081920ab22', language: 'en-US', key: 'fern', value: 'Fern' }],
  extensions: [{ extension: 'd6f81a3c-e709-4b2c-96d7-f8091a2b3c33', version: 'e7092b4d-f81a-4c3d-87e8-091a2b3c4d44' }],
};
