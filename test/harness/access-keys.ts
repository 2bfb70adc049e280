// Makes access keys as their owners would: signed in just now, so that no password is asked for.

import type { Api } from './api.js';
import type { Person } from './people.js';
import type { TestService } from './start-service.js';

export interface KeySpec {
  readonly name?: string;
  readonly policy?: string;
  readonly write?: boolean;
  readonly collections?: readonly string[];
  readonly addresses?: readonly string[];
  readonly expires?: string;
}

export interface TestKey {
  readonly id: string;
  readonly token: string;
  /** Sends requests with the key. */
  readonly api: Api;
}

/** Sends requests as somebody who has just signed in. */
export async function signedIn(service: TestService, { email, password }: Pick<Person, 'email' | 'password'>): Promise<Api> {
  const answer = await service.as(null).post('/auth/login', { email, password });
  if (answer.status !== 200) throw new Error(answer.text);
  return service.as(answer.body.data.access_token);
}

export async function makeKey(service: TestService, owner: Api, spec: KeySpec = {}): Promise<TestKey> {
  const answer = await owner.post('/users/me/keys', { name: 'a program', ...spec });
  if (answer.status !== 200) throw new Error(answer.text);
  const { id, token } = answer.body.data;
  return { id, token, api: service.as(token) };
}
