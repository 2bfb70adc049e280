// People as lists and texts name them.

import { fieldsFor, type Permissions } from './permissions.js';

export interface Person {
  readonly id: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
}

export const personName = ({ first_name, last_name, email, id }: Person): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? id);

/** The fields that a name is made of, as far as the person may read them; none without the key. */
export function namingFields(permissions: Permissions): readonly (keyof Person)[] {
  const mayRead = fieldsFor(permissions, 'users', 'read');
  const fields: readonly (keyof Person)[] = ['id', 'first_name', 'last_name', 'email'];
  return mayRead('id') ? fields.filter(mayRead) : [];
}
