// Creates users with given permissions through the API, as an administrator would.

import { randomBytes } from 'node:crypto';
import type { Api } from './api.js';
import type { TestService } from './start-service.js';

export interface PermissionSpec {
  readonly collection: string;
  readonly action: 'create' | 'read' | 'update' | 'delete' | 'share';
  readonly fields?: readonly string[];
  readonly permissions?: unknown;
  readonly validation?: unknown;
  readonly presets?: unknown;
}

export interface PolicySpec {
  readonly permissions?: readonly PermissionSpec[];
  readonly ip_access?: readonly string[];
  readonly app_access?: boolean;
  readonly admin_access?: boolean;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly policies: readonly string[];
  /** Sends requests as this user. */
  readonly api: Api;
}

export async function makePolicy(service: TestService, { permissions = [], ...spec }: PolicySpec): Promise<string> {
  const rows = permissions.map((permission) => ({ fields: ['*'], ...permission }));
  const answer = await service.api.post('/policies', { name: 'test', ...spec, permissions: rows });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data.id;
}

export async function makePerson(
  service: TestService,
  policies: readonly PolicySpec[],
  details: Readonly<Record<string, unknown>> = {},
): Promise<Person> {
  const name = randomBytes(6).toString('hex');
  const made: string[] = [];
  for (const policy of policies) made.push(await makePolicy(service, policy));
  const person = { email: `${name}@example.com`, password: `password of ${name}`, token: `token-of-${name}` };
  const answer = await service.api.post('/users', { ...person, policies: made.map((policy) => ({ policy })), ...details });
  if (answer.status !== 200) throw new Error(answer.text);
  return { ...person, id: answer.body.data.id, policies: made, api: service.as(person.token) };
}

export const codeOf = (answer: {
  readonly status: number;
  readonly body: { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] } | null;
}): string => `${answer.status} ${answer.body?.errors?.[0]?.extensions.code ?? ''}`.trim();
