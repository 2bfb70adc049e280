// The form of the settings: their fields in groups, with words for people. A field that the service has and this list does not is among the
// further settings. Pure, imports no framework.

import type { Collection, Field } from '../schema/model.js';
import type { RunningMessages } from '../text/english/running.js';
import { offered } from '../text/language-names.js';

type Group = keyof RunningMessages['groups'];

interface Arrangement {
  readonly interface?: string;
  readonly width?: 'half' | 'full';
  readonly choices?: (text: RunningMessages) => Readonly<Record<string, string>>;
}

const half: Arrangement = { width: 'half' };

const groups: Readonly<Record<Exclude<Group, 'more'>, Readonly<Record<string, Arrangement>>>> = {
  project: {
    project_name: half,
    project_descriptor: half,
    project_url: half,
    project_color: { interface: 'select-color', width: 'half' },
    default_language: { width: 'half', choices: () => offered },
    default_appearance: { width: 'half', choices: ({ appearances }) => appearances },
    project_logo: { interface: 'file-image' },
  },
  entrance: {
    public_note: { interface: 'input-multiline' },
    public_foreground: { interface: 'file-image' },
    public_background: { interface: 'file-image' },
    public_favicon: { interface: 'file-image' },
  },
  registration: {
    public_registration: half,
    public_registration_verify_email: half,
    public_registration_role: {},
    public_registration_email_filter: {},
  },
  safety: { auth_login_attempts: half, auth_password_policy: half },
  files: {
    storage_asset_transform: { width: 'half', choices: ({ transforms }) => transforms },
    storage_default_folder: half,
    storage_asset_presets: {},
  },
  help: { report_error_url: {}, report_bug_url: {}, report_feature_url: {} },
};

const hidden = new Set(['id', 'project_id']);

export function settingsForm(collection: Collection, text: RunningMessages): Collection {
  const listed = Object.entries(groups).flatMap(([group, fields]) => [
    groupField(collection, group as Group, text),
    ...Object.entries(fields).flatMap(([name, arrangement]) => {
      const field = collection.fieldsByName.get(name);
      return field === undefined ? [] : [arranged(field, group as Group, arrangement, text)];
    }),
  ]);
  const names = new Set(listed.map(({ name }) => name));
  const others = collection.fields.filter(({ name }) => !names.has(name));
  const rest = others.map((field) => (hidden.has(field.name) ? { ...field, hidden: true } : arranged(field, 'more', {}, text)));
  const fields = [...listed, groupField(collection, 'more', text), ...rest];
  return {
    ...collection,
    title: text.settings,
    singleton: true,
    fields,
    fieldsByName: new Map(fields.map((field) => [field.name, field])),
  };
}

const groupName = (group: Group): string => `$group-${group}`;

function arranged(field: Field, group: Group, arrangement: Arrangement, text: RunningMessages): Field {
  const choices = arrangement.choices?.(text);
  return {
    ...field,
    title: text.fields[field.name] ?? field.title,
    note: text.notes[field.name] ?? null,
    group: groupName(group),
    width: arrangement.width ?? 'full',
    interface: arrangement.interface ?? (choices === undefined ? field.interface : 'select-dropdown'),
    choices: choices === undefined ? field.choices : Object.entries(choices).map(([value, title]) => ({ value, text: title })),
    ...(choices === undefined ? {} : { options: { ...field.options, allowOther: true } }),
  };
}

function groupField({ name: collection }: Collection, group: Group, text: RunningMessages): Field {
  return {
    collection,
    name: groupName(group),
    title: text.groups[group],
    type: 'alias',
    interface: 'group-detail',
    options: { start: group === 'more' ? 'closed' : 'open' },
    display: null,
    displayOptions: {},
    width: 'full',
    note: null,
    group: null,
    sort: 0,
    hidden: false,
    readonly: false,
    required: false,
    special: ['alias', 'no-data', 'group'],
    conditions: [],
    validation: null,
    validationMessage: null,
    choices: null,
    isKey: false,
    isGenerated: false,
    column: null,
    keyPosition: 1,
    relation: null,
    stored: null,
  };
}
