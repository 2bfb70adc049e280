// Which interface edits a field: the configured one when Studio has it, else the usual one of its type.

import { type Field, isNameOf } from './model.js';

const byType: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  date: 'datetime',
  time: 'datetime',
  dateTime: 'datetime',
  timestamp: 'datetime',
  json: 'input-code',
  text: 'input-multiline',
  csv: 'tags',
  hash: 'input-hash',
  geometry: 'map',
};

export function defaultInterface({ type, relation, choices }: Field): string {
  switch (relation?.kind) {
    case 'm2o':
      return isNameOf('files', relation.related) ? 'file' : 'select-dropdown-m2o';
    case 'o2m':
      return relation.languageField === null ? 'list-o2m' : 'translations';
    case 'm2m':
      return relation.any === null ? (isNameOf('files', relation.related) ? 'files' : 'list-m2m') : 'list-m2a';
    case 'm2a':
      return 'list-m2a';
    case undefined:
      return choices === null ? (byType[type.split('.', 1)[0] ?? ''] ?? 'input') : 'select-dropdown';
  }
}
