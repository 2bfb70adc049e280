// Creates a user with a static token and a role that has the given permissions.

import type { Api } from './api.js';

export interface TestPermission {
  readonly collection: string;
  readonly action: string;
  readonly fields?: readonly string[];
  readonly permissions?: unknown;
}

export interface TestUser {
  readonly id: string;
  readonly role: string;
  readonly token: string;
}

export async function makeUser(admin: Api, name: string, permissions: readonly TestPermission[]): Promise<TestUser> {
  const role = (await admin.post('/roles', { name })).body.data.id as string;
  const rows = permissions.map((permission) => ({ fields: ['*'], permissions: null, ...permission }));
  const policy = (await admin.post('/policies', { name, permissions: rows })).body.data.id as string;
  await admin.post('/access', { role, policy });
  const token = `token-of-${name}`;
  const id = (await admin.post('/users', { email: `${name}@example.com`, role, token })).body.data.id as string;
  return { id, role, token };
}
