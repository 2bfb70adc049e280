// People as lists and texts name them.

import type { Permissions } from './permissions.js';

export interface Person {
  readonly id: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
}

export const personName = ({ first_name, last_name, email, id }: Person): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? id);

/** Returns a function that tells whether the person may read (or update) a field of users. */
export function userFields(permissions: Permissions, action: 'read' | 'update'): (field: string) => boolean {
  const granted = (permissions['service_users'] ?? permissions['directus_users'])?.[action];
  const fields = new Set(granted === undefined || granted.access === 'none' ? [] : granted.fields);
  return (field) => fields.has('*') || fields.has(field);
}

/** The fields that a name is made of, as far as the person may read them; none without the key. */
export function namingFields(permissions: Permissions): readonly (keyof Person)[] {
  const mayRead = userFields(permissions, 'read');
  const fields: readonly (keyof Person)[] = ['id', 'first_name', 'last_name', 'email'];
  return mayRead('id') ? fields.filter(mayRead) : [];
}
