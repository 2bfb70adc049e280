// A clinic as Directus left it: the system tables as versions 11 and 12 make them (test/fixtures/directus), with a project of another shape in
// them: keys of every kind, a tree, a junction to users, a many-to-any that names a collection that is gone, relations without a constraint,
// tables and columns without metadata, metadata without columns, rules over paths from the caller, and rows that went stale with time.

import { type DirectusProject, readProject, type Table } from './directus-project.js';

type Row = Table['rows'][number];
type Rows = readonly Row[];

/** A key that is recognisable by its end. */
const id = (end: number): string => `00000000-0000-4000-8000-${String(end).padStart(12, '0')}`;
const json = (value: unknown): string => JSON.stringify(value);
const noon = Date.UTC(2024, 4, 6, 12);

export const clinicKeys = {
  admin: id(1),
  doctor: id(2),
  nurse: id(3),
  desk: id(4),
  ward: id(11),
  icu: id(12),
  ana: id(21),
  ben: id(22),
  cem: id(23),
  note: id(31),
  scan: id(41),
  ping: id(51),
  mail: id(52),
  share: id(61),
  version: id(71),
} as const;
const keys = clinicKeys;

export const clinicTokens = {
  admin: 'clinic-admin',
  doctor: 'clinic-doctor',
  nurse: 'clinic-nurse',
  desk: 'clinic-desk',
  bot: 'clinic-bot',
};

/** `Editor-Pass-1` and `Careful-Pass-1` of the other fixture. */
const hashOf = (email: string): string => {
  const users = readProject().tables.find(({ name }) => name === 'directus_users')?.rows ?? [];
  return String(users.find((row) => row['email'] === email)?.['password']);
};

const roles = { administrator: id(81), doctor: id(82), nurse: id(83), staff: id(84) };
const policies = {
  public: 'abf8a154-5b1c-4a46-ac9c-7300570f4f17',
  admin: id(91),
  doctor: id(92),
  nurse: id(93),
  staff: id(94),
  far: id(95),
};

const users = (): Rows =>
  [
    { id: keys.admin, email: 'chief@clinic.example.com', first_name: 'Chi', role: roles.administrator, token: clinicTokens.admin },
    {
      id: keys.doctor,
      email: 'Doc@Clinic.example.com',
      first_name: 'Dora',
      role: roles.doctor,
      token: clinicTokens.doctor,
      password: hashOf('editor@magazine.example.com'),
      tags: json(['on call']),
      badge: 'D-1',
    },
    { id: keys.nurse, email: 'nurse@clinic.example.com', role: roles.nurse, token: clinicTokens.nurse, clinicWard: keys.icu, badge: 'N-1' },
    {
      id: keys.desk,
      email: 'desk@clinic.example.com',
      role: roles.staff,
      token: clinicTokens.desk,
      password: hashOf('careful@magazine.example.com'),
      tfa_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    },
    // A machine: no address, no password, no role, a policy of its own that only holds for another network.
    { id: id(5), token: clinicTokens.bot },
    { id: id(6), email: 'left@clinic.example.com', role: roles.doctor, token: 'clinic-left', status: 'suspended' },
    {
      id: id(7),
      email: 'saml@clinic.example.com',
      role: roles.staff,
      provider: 'hospital',
      external_identifier: 'x-7',
      auth_data: json(null),
    },
  ].map((row) => ({ status: 'active', provider: 'default', text_direction: 'auto', ...row }));

const policyRows: Rows = [
  { id: policies.public, name: '$t:public_label', icon: 'public' },
  { id: policies.admin, name: 'Administrator', admin_access: 1, app_access: 1 },
  { id: policies.doctor, name: 'Doctors', app_access: 1, ip_access: '127.0.0.0/8,::1' },
  { id: policies.nurse, name: 'Nurses', app_access: 1 },
  { id: policies.staff, name: 'Staff' },
  { id: policies.far, name: 'From afar', ip_access: '203.0.113.0/24', admin_access: 1 },
].map((row) => ({ icon: 'badge', enforce_tfa: 0, admin_access: 0, app_access: 0, ...row }));

const accessRows: Rows = [
  { policy: policies.public, sort: 1 },
  { policy: policies.admin, role: roles.administrator },
  { policy: policies.doctor, role: roles.doctor },
  { policy: policies.nurse, role: roles.nurse },
  { policy: policies.staff, role: roles.staff, sort: 1 },
  { policy: policies.far, user: id(5) },
].map((row, index) => ({ id: id(100 + index), ...row }));

const own = { doctor: { _eq: '$CURRENT_USER' } };
const permissionRows: Rows = [
  { policy: policies.public, collection: 'wards', action: 'read', fields: 'id,name,translations' },
  { policy: policies.public, collection: 'wards_translations', action: 'read', fields: '*' },
  { policy: policies.doctor, collection: 'patients', action: 'read', permissions: json(own), fields: '*' },
  {
    policy: policies.doctor,
    collection: 'patients',
    action: 'update',
    permissions: json(own),
    fields: 'name,chart,vanished',
    presets: json({ status: 'seen' }),
  },
  {
    policy: policies.doctor,
    collection: 'patients',
    action: 'create',
    fields: '*',
    presets: json({ doctor: '$CURRENT_USER' }),
    validation: json({ name: { _nempty: true } }),
  },
  { policy: policies.doctor, collection: 'Treatments', action: 'read', permissions: json({ patient: own }), fields: '*' },
  { policy: policies.doctor, collection: 'record_parts', action: 'read', fields: '*' },
  { policy: policies.doctor, collection: 'part_note', action: 'read', fields: '*' },
  {
    policy: policies.doctor,
    collection: 'directus_files',
    action: 'read',
    permissions: json({ folder: { name: { _eq: 'Scans' } } }),
    fields: '*',
  },
  { policy: policies.doctor, collection: 'directus_versions', action: 'read', permissions: json({}), fields: '*' },
  {
    policy: policies.nurse,
    collection: 'patients',
    action: 'read',
    permissions: json({ ward: { _eq: '$CURRENT_USER.clinicWard' } }),
    fields: 'id,name,ward,insuranceNo',
  },
  {
    policy: policies.nurse,
    collection: 'wards',
    action: 'read',
    permissions: json({ _or: [{ id: { _eq: '$CURRENT_USER.clinicWard' } }, { chief: { role: { _in: '$CURRENT_ROLES' } } }] }),
    fields: '*',
  },
  { policy: policies.staff, collection: 'wards', action: 'read', permissions: json({}), fields: '*' },
  { policy: policies.staff, collection: 'visits', action: 'read', permissions: json(null), fields: '*' },
  // What became of old plans: a collection, fields and operators that are gone.
  { policy: policies.staff, collection: 'pharmacy', action: 'read', permissions: json({ open: { _eq: true } }), fields: '*' },
  { policy: policies.staff, collection: 'Treatments', action: 'read', permissions: json({ vanished: { _eq: 1 } }), fields: '*' },
  { policy: policies.staff, collection: 'part_note', action: 'share', fields: '*' },
].map((row, index) => ({ id: index + 1, ...row }));

const collectionRows: Rows = [
  { collection: 'house', icon: 'home', collapse: 'closed' },
  {
    collection: 'wards',
    group: 'house',
    sort_field: 'sort',
    translations: json([{ language: 'de-DE', translation: 'Stationen' }]),
    display_template: '{{name}}',
  },
  { collection: 'wards_translations', hidden: 1 },
  {
    collection: 'patients',
    versioning: 1,
    archive_field: 'status',
    archive_value: 'archived',
    unarchive_value: 'new',
    item_duplication_fields: json(null),
  },
  { collection: 'Treatments', accountability: 'activity' },
  { collection: 'record_parts', hidden: 1 },
  { collection: 'part_note' },
  { collection: 'patients_directus_users', hidden: 1 },
  { collection: 'house_rules', singleton: 1 },
  { collection: 'visits', preview_url: 'https://clinic.example.com/{{id}}' },
  // Its table was dropped by hand.
  { collection: 'pharmacy', note: 'closed' },
].map((row) => ({ hidden: 0, singleton: 0, archive_app_filter: 1, collapse: 'open', versioning: 0, accountability: 'all', ...row }));

const fieldRows: Rows = [
  { collection: 'wards', field: 'id', special: 'uuid', interface: 'input', hidden: 1, readonly: 1 },
  { collection: 'wards', field: 'parent', special: 'm2o', interface: 'select-dropdown-m2o' },
  { collection: 'wards', field: 'children', special: 'o2m', interface: 'list-o2m-tree-view' },
  { collection: 'wards', field: 'chief', special: 'm2o', interface: 'select-dropdown-m2o' },
  { collection: 'wards', field: 'translations', special: 'translations', interface: 'translations' },
  { collection: 'wards', field: 'divider', special: 'alias,no-data', interface: 'presentation-divider' },
  { collection: 'wards', field: 'vanished', interface: 'input', options: json({}) },
  { collection: 'patients', field: 'id', special: 'uuid', interface: 'input' },
  {
    collection: 'patients',
    field: 'chart',
    special: 'cast-json',
    interface: 'super-chart-of-an-extension',
    options: json({ levels: [1, 2] }),
    display: 'chart-of-an-extension',
  },
  { collection: 'patients', field: 'allergies', special: 'cast-csv', interface: 'tags' },
  { collection: 'patients', field: 'alive', special: 'cast-boolean', interface: 'boolean' },
  { collection: 'patients', field: 'seen', special: 'cast-timestamp', interface: 'datetime' },
  { collection: 'patients', field: 'date_created', special: 'date-created,cast-timestamp', interface: 'datetime' },
  { collection: 'patients', field: 'user_created', special: 'user-created', interface: 'select-dropdown-m2o' },
  { collection: 'patients', field: 'pin', special: 'hash,conceal,flag-nobody-knows', interface: 'input-hash' },
  { collection: 'patients', field: 'photo', special: 'file', interface: 'file-image' },
  { collection: 'patients', field: 'treatments', special: 'o2m', interface: 'list-o2m' },
  { collection: 'patients', field: 'helpers', special: 'm2m', interface: 'list-m2m' },
  { collection: 'patients', field: 'parts', special: 'm2a', interface: 'list-m2a' },
  { collection: 'patients', field: 'visits', special: 'o2m', interface: 'list-o2m' },
  {
    collection: 'patients',
    field: 'status',
    interface: 'select-dropdown',
    options: json({
      choices: [
        { text: 'New', value: 'new' },
        { text: 'Seen', value: 'seen' },
      ],
    }),
    conditions: json([{ rule: { _and: [] } }]),
  },
  { collection: 'directus_users', field: 'clinicWard', special: 'm2o', interface: 'select-dropdown-m2o' },
  { collection: 'directus_users', field: 'badge', interface: 'input', required: 0 },
  { collection: 'directus_users', field: 'leads', special: 'o2m', interface: 'list-o2m' },
  { collection: 'directus_roles', field: 'grade', interface: 'input' },
  { collection: 'patients_directus_users', field: 'id', special: 'uuid', hidden: 1 },
  { collection: 'part_note', field: 'id', special: 'uuid', hidden: 1 },
  { collection: 'pharmacy', field: 'open', interface: 'boolean' },
].map((row, index) => ({ id: index + 1, readonly: 0, hidden: 0, searchable: 1, ...row }));

const relationRows: Rows = [
  { many_collection: 'wards', many_field: 'parent', one_collection: 'wards', one_field: 'children', sort_field: 'sort' },
  { many_collection: 'wards', many_field: 'chief', one_collection: 'directus_users', one_field: 'leads' },
  {
    many_collection: 'wards_translations',
    many_field: 'wards_id',
    one_collection: 'wards',
    one_field: 'translations',
    junction_field: 'lang',
  },
  { many_collection: 'wards_translations', many_field: 'lang', one_collection: 'languages', junction_field: 'wards_id' },
  { many_collection: 'patients', many_field: 'ward', one_collection: 'wards' },
  { many_collection: 'patients', many_field: 'doctor', one_collection: 'directus_users' },
  { many_collection: 'patients', many_field: 'user_created', one_collection: 'directus_users' },
  { many_collection: 'patients', many_field: 'photo', one_collection: 'directus_files' },
  { many_collection: 'Treatments', many_field: 'patient', one_collection: 'patients', one_field: 'treatments' },
  {
    many_collection: 'patients_directus_users',
    many_field: 'patients_id',
    one_collection: 'patients',
    one_field: 'helpers',
    junction_field: 'directus_users_id',
  },
  {
    many_collection: 'patients_directus_users',
    many_field: 'directus_users_id',
    one_collection: 'directus_users',
    junction_field: 'patients_id',
  },
  {
    many_collection: 'record_parts',
    many_field: 'patient',
    one_collection: 'patients',
    one_field: 'parts',
    junction_field: 'item',
    sort_field: 'sort',
  },
  {
    many_collection: 'record_parts',
    many_field: 'item',
    one_collection_field: 'collection',
    one_allowed_collections: 'part_note,part_gone,directus_files',
    junction_field: 'patient',
  },
  // Without a constraint, and of a collection that is gone.
  { many_collection: 'visits', many_field: 'patient', one_collection: 'patients', one_field: 'visits' },
  { many_collection: 'pharmacy', many_field: 'ward', one_collection: 'wards', one_field: 'pharmacies' },
  { many_collection: 'directus_users', many_field: 'clinicWard', one_collection: 'wards' },
].map((row, index) => ({ id: index + 1, one_deselect_action: 'nullify', ...row }));

const delta = {
  name: 'Ana Maria',
  helpers: { create: [{ directus_users_id: keys.nurse }], update: [], delete: [] },
  parts: { create: [], update: [{ id: 1, collection: 'part_note', item: { id: keys.note, body: 'Better' } }], delete: [] },
  _user: keys.admin,
  _date: '2024-05-06T12:00:00.000Z',
};

const systemRows = (): Readonly<Record<string, Rows>> => ({
  directus_users: users(),
  directus_roles: [
    { id: roles.administrator, name: 'Administrator', icon: 'verified' },
    { id: roles.staff, name: 'Staff', icon: 'badge', grade: 1 },
    { id: roles.doctor, name: 'Doctor', icon: 'badge', parent: roles.staff, grade: 9 },
    { id: roles.nurse, name: 'Nurse', icon: 'badge', parent: roles.staff },
  ],
  directus_policies: policyRows,
  directus_access: accessRows,
  directus_permissions: permissionRows,
  directus_collections: collectionRows,
  directus_fields: fieldRows,
  directus_relations: relationRows,
  directus_folders: [
    { id: id(201), name: 'Scans' },
    { id: id(202), name: '2024', parent: id(201) },
    { id: id(203), name: 'Private' },
  ],
  directus_files: [
    {
      id: keys.scan,
      storage: 'local',
      filename_disk: 'scan.txt',
      filename_download: 'scan.txt',
      type: 'text/plain',
      folder: id(201),
      tags: json(['lung']),
      filesize: 4,
    },
    { id: id(42), storage: 'local', filename_download: 'letter.txt', folder: id(203), metadata: json(null) },
  ].map((row) => ({ created_on: noon, modified_on: noon, ...row })),
  directus_presets: [
    {
      id: 1,
      user: keys.doctor,
      collection: 'patients',
      bookmark: 'Mine',
      layout: 'tabular',
      filter: json(own),
      layout_query: json({ tabular: { fields: ['name'] } }),
    },
    { id: 2, role: roles.nurse, collection: 'patients', layout: 'layout-of-an-extension' },
    { id: 3, collection: 'wards' },
    { id: 4, collection: 'pharmacy', user: keys.doctor, bookmark: 'Old' },
  ],
  directus_flows: [
    {
      id: keys.ping,
      name: 'Ping',
      status: 'active',
      trigger: 'webhook',
      options: json({ method: 'POST', return: '$last' }),
      operation: id(53),
    },
    { id: keys.mail, name: 'Mail', status: 'active', trigger: 'webhook', options: json({ method: 'GET' }), operation: id(54) },
    { id: id(55), name: 'Empty', status: 'inactive', trigger: 'manual' },
  ],
  directus_operations: [
    {
      id: id(53),
      key: 'say',
      type: 'transform',
      options: json({ json: { pong: '{{$trigger.body.word}}', by: '{{$accountability.user}}' } }),
      flow: keys.ping,
    },
    { id: id(54), key: 'send', type: 'mail', options: json({ to: ['x@clinic.example.com'] }), flow: keys.mail },
    { id: id(56), key: 'lone', type: 'operation-of-an-extension', flow: keys.mail },
  ].map((row) => ({ position_x: 1, position_y: 1, ...row })),
  directus_dashboards: [{ id: id(211), name: 'Beds', icon: 'bed' }],
  directus_panels: [
    {
      id: id(212),
      dashboard: id(211),
      type: 'panel-of-an-extension',
      show_header: 1,
      position_x: 1,
      position_y: 1,
      width: 4,
      height: 4,
      options: json({ collection: 'wards' }),
    },
  ],
  directus_shares: [
    { id: keys.share, name: 'For Ana', collection: 'patients', item: keys.ana, role: roles.staff, times_used: 0 },
    { id: id(62), name: 'Ended', collection: 'patients', item: keys.ana, role: roles.staff, times_used: 0, date_end: noon },
  ],
  directus_versions: [
    {
      id: keys.version,
      key: 'later',
      name: 'Later',
      collection: 'patients',
      item: keys.ana,
      hash: 'a'.repeat(40),
      date_created: noon,
      date_updated: noon,
      user_created: keys.admin,
      user_updated: keys.admin,
      delta: json(delta),
    },
    { id: id(72), key: 'blank', collection: 'patients', item: keys.ben, hash: 'b'.repeat(40), date_created: noon },
    { id: id(73), key: 'orphan', collection: 'pharmacy', item: '1', hash: 'c'.repeat(40), date_created: noon, delta: json({ open: true }) },
  ],
  directus_comments: [
    { id: id(221), collection: 'patients', item: keys.ana, comment: 'Ask again', date_created: noon, user_created: keys.doctor },
  ],
  directus_notifications: [{ id: 1, timestamp: noon, status: 'inbox', recipient: keys.doctor, subject: 'Ana' }],
  directus_translations: [{ id: id(231), language: 'de-DE', key: 'ward', value: 'Station' }],
  directus_extensions: [
    { enabled: 1, id: id(241), folder: 'super-chart', source: 'module' },
    { enabled: 0, id: id(242), folder: 'off', source: 'registry' },
  ],
  directus_activity: [{ id: 41, action: 'create', user: keys.admin, timestamp: noon, collection: 'patients', item: keys.ana }],
  directus_revisions: [
    { id: 37, activity: 41, collection: 'patients', item: keys.ana, data: json({ name: 'Ana' }), delta: json({ name: 'Ana' }) },
  ],
  directus_settings: [{ id: 1, project_name: 'Clinic', project_color: '#6644FF', default_language: 'en-US', default_appearance: 'auto' }],
});

const table = (name: string, columns: Table['columns'], rows: Rows, more: Partial<Table> = {}): Table => ({
  name,
  columns,
  primaryKey: ['id'],
  foreignKeys: [],
  uniques: [],
  rows,
  ...more,
});

const projectTables: readonly Table[] = [
  table(
    'languages',
    [
      ['code', 'varchar(10)', 'n'],
      ['name', 'varchar(60)'],
    ],
    [
      { code: 'de', name: 'Deutsch' },
      { code: 'fr', name: 'Français' },
    ],
    { primaryKey: ['code'] },
  ),
  table(
    'wards',
    [
      ['id', 'char(36)', 'n'],
      ['name', 'varchar(60)', 'n'],
      ['sort', 'integer'],
      ['parent', 'char(36)'],
      ['chief', 'char(36)'],
    ],
    [
      { id: keys.ward, name: 'House', sort: 1, chief: keys.nurse },
      { id: keys.icu, name: 'ICU', sort: 2, parent: keys.ward, chief: keys.doctor },
      { id: id(13), name: 'Cellar', sort: 3, parent: keys.icu },
    ],
    {
      foreignKeys: [
        ['parent', 'wards', 'id', 'SET NULL'],
        ['chief', 'directus_users', 'id', 'SET NULL'],
      ],
    },
  ),
  table(
    'wards_translations',
    [
      ['id', 'integer', 'na'],
      ['wards_id', 'char(36)'],
      ['lang', 'varchar(10)'],
      ['name', 'varchar(60)'],
    ],
    [
      { id: 1, wards_id: keys.icu, lang: 'de', name: 'Intensiv' },
      { id: 2, wards_id: keys.icu, lang: 'fr', name: 'Réa' },
    ],
    {
      foreignKeys: [
        ['wards_id', 'wards', 'id', 'CASCADE'],
        ['lang', 'languages', 'code', 'SET NULL'],
      ],
    },
  ),
  table(
    'patients',
    [
      ['id', 'char(36)', 'n'],
      ['name', 'varchar(100)', 'n'],
      ['status', 'varchar(20)', 'n', "'new'"],
      ['insuranceNo', 'varchar(20)'],
      ['ward', 'char(36)'],
      ['doctor', 'char(36)'],
      ['photo', 'char(36)'],
      ['chart', 'json'],
      ['allergies', 'text'],
      ['alive', 'boolean'],
      ['weight', 'numeric(12,4)'],
      ['steps', 'bigint'],
      ['born', 'date'],
      ['admitted', 'dateTime'],
      ['seen', 'timestamp'],
      ['wakes', 'time'],
      ['pin', 'varchar(255)'],
      ['date_created', 'timestamp'],
      ['user_created', 'char(36)'],
      // A column of a script, without a row in directus_fields.
      ['imported_from', 'varchar(20)'],
    ],
    [
      {
        id: keys.ana,
        name: 'Ana',
        insuranceNo: 'A-1',
        ward: keys.icu,
        doctor: keys.doctor,
        photo: keys.scan,
        chart: json({ pulse: [60, 61], note: "it's $CURRENT_USER of directus_users" }),
        allergies: 'nuts,dust',
        alive: 1,
        weight: 61.5,
        steps: 9007199254740,
        born: Date.UTC(1980, 1, 29),
        admitted: noon,
        seen: noon + 1000,
        wakes: '06:30:00',
        date_created: noon,
        user_created: keys.doctor,
        imported_from: 'csv',
      },
      { id: keys.ben, name: 'Ben', status: 'seen', ward: keys.ward, doctor: keys.doctor, chart: json(null), alive: 0 },
      { id: keys.cem, name: 'Cem', ward: keys.icu, chart: json([]), allergies: '' },
    ].map((row) => ({ status: 'new', ...row })),
    {
      foreignKeys: [
        ['ward', 'wards', 'id', 'SET NULL'],
        ['doctor', 'directus_users', 'id', 'SET NULL'],
        ['photo', 'directus_files', 'id', 'SET NULL'],
      ],
    },
  ),
  table(
    'Treatments',
    [
      ['id', 'integer', 'na'],
      ['patient', 'char(36)'],
      ['Name', 'varchar(60)'],
      ['cost', 'float'],
    ],
    [
      { id: 1, patient: keys.ana, Name: 'X-ray', cost: 12.5 },
      { id: 2, patient: keys.cem, Name: 'Rest', cost: 0 },
    ],
    { foreignKeys: [['patient', 'patients', 'id', 'CASCADE']] },
  ),
  table(
    'patients_directus_users',
    [
      ['id', 'char(36)', 'n'],
      ['patients_id', 'char(36)'],
      ['directus_users_id', 'char(36)'],
    ],
    [{ id: id(301), patients_id: keys.ana, directus_users_id: keys.doctor }],
    {
      foreignKeys: [
        ['patients_id', 'patients', 'id', 'CASCADE'],
        ['directus_users_id', 'directus_users', 'id', 'CASCADE'],
      ],
      uniques: [['patients_id', 'directus_users_id']],
    },
  ),
  table(
    'part_note',
    [
      ['id', 'char(36)', 'n'],
      ['body', 'text'],
    ],
    [{ id: keys.note, body: 'Coughs' }],
  ),
  table(
    'record_parts',
    [
      ['id', 'integer', 'na'],
      ['patient', 'char(36)'],
      ['collection', 'varchar(64)'],
      ['item', 'varchar(255)'],
      ['sort', 'integer'],
    ],
    [
      { id: 1, patient: keys.ana, collection: 'part_note', item: keys.note, sort: 1 },
      { id: 2, patient: keys.ana, collection: 'directus_files', item: keys.scan, sort: 2 },
      { id: 3, patient: keys.ana, collection: 'part_gone', item: '7', sort: 3 },
    ],
    { foreignKeys: [['patient', 'patients', 'id', 'SET NULL']] },
  ),
  table(
    'visits',
    [
      ['id', 'integer', 'na'],
      ['patient', 'char(36)'],
      ['why', 'varchar(60)'],
    ],
    [
      { id: 1, patient: keys.ana, why: 'Cough' },
      { id: 2, patient: id(999), why: 'Left' },
    ],
  ),
  table(
    'house_rules',
    [
      ['id', 'char(36)', 'n'],
      ['text', 'text'],
    ],
    [{ id: id(311), text: 'Be quiet' }],
  ),
  // Tables of another program, without metadata: one with a key of two columns, one without a key.
  table(
    'bed_plan',
    [
      ['bed', 'integer', 'n'],
      ['day', 'date', 'n'],
      ['who', 'varchar(60)'],
    ],
    [{ bed: 1, day: Date.UTC(2024, 4, 6), who: 'Ana' }],
    { primaryKey: ['bed', 'day'] },
  ),
  table('raw_log', [['line', 'text']], [{ line: 'started' }], { primaryKey: [] }),
];

const ownColumns: Readonly<Record<string, Partial<Pick<Table, 'columns' | 'foreignKeys' | 'uniques'>>>> = {
  directus_users: {
    columns: [
      ['clinicWard', 'char(36)'],
      ['badge', 'varchar(20)'],
    ],
    foreignKeys: [['clinicWard', 'wards', 'id', 'SET NULL']],
    uniques: [['badge']],
  },
  directus_roles: { columns: [['grade', 'integer']] },
};

/** `early`: the first releases of version 11, which had less: no comments, no `searchable`, nothing for deployments or projects. */
export function clinicProject(version: 11 | 12 | 'early'): DirectusProject {
  const rows = systemRows();
  const magazine = readProject(version === 12 ? 12 : 11).tables.filter(({ name }) => name.startsWith('directus_'));
  const own = new Set(['pen_name', 'rights']);
  const system = magazine
    .filter(({ name }) => !(version === 'early' && laterTables.test(name)))
    .map((found): Table => {
      const added = ownColumns[found.name] ?? {};
      const isKept = (column: string): boolean =>
        !own.has(column) && !(version === 'early' && (laterColumns[found.name] ?? /^$/).test(column));
      const columns = [...found.columns.filter(([column]) => isKept(column)), ...(added.columns ?? [])];
      const names = new Set(columns.map(([column]) => column));
      return {
        ...found,
        columns,
        foreignKeys: [...found.foreignKeys, ...(added.foreignKeys ?? [])],
        uniques: [...found.uniques.filter((unique) => unique.every((column) => names.has(column))), ...(added.uniques ?? [])],
        rows: (found.name === 'directus_migrations' ? found.rows : (rows[found.name] ?? [])).map((row) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => names.has(column))),
        ),
      };
    });
  return {
    tables: [...system, ...projectTables],
    uploads: { 'scan.txt': Buffer.from('scan').toString('base64') },
    recorded: readProject(11).recorded,
  };
}

const laterTables = /^directus_(?:comments|deployment)/;
const laterColumns: Readonly<Record<string, RegExp>> = {
  directus_fields: /^searchable$/,
  directus_users: /^text_direction$/,
  directus_settings: /^(?:mcp|ai|project_(?:id|owner|usage|status)|org_name|product_updates|collaborative|visual|accepted)/,
  directus_collections: /^autosave/,
};
