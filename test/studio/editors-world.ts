// A magazine with ten thousand articles, editors who may not do anything yet, and one of them.

import { expect } from 'vitest';
import type { TestService } from '../harness/start-service.js';

const count = 10_000;

/** A third of the articles is published. The digits come from a table of ten rows, which every vendor can join with itself. */
export const fixture = `
  create table authors (id integer primary key, name varchar(100));
  insert into authors values (1, 'Ada Lovelace'), (2, 'Grace Hopper'), (3, 'Katherine Johnson');
  create table articles (
    id integer primary key, title varchar(200), status varchar(20), price decimal(10, 2), body text, published_on date,
    author integer references authors (id)
  );
  create table digits (d integer primary key);
  insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
  insert into articles (id, title, status, price, author)
    select n, 'Article', case when n % 3 = 0 then 'published' when n % 3 = 1 then 'draft' else 'archived' end, 9.5, 1 + n % 3 from (
      select a.d + 10 * b.d + 100 * c.d + 1000 * e.d as n from digits a, digits b, digits c, digits e
    ) as numbers where n > 0;
  insert into articles (id, title, status, price, author) values (10000, 'Article', 'draft', 9.5, 1);
  drop table digits;
`;

export interface EditorsWorld {
  readonly role: string;
  readonly policy: string;
  readonly editor: { readonly id: string; readonly email: string; readonly password: string };
  readonly count: number;
}

export async function settleEditors({ api }: TestService): Promise<EditorsWorld> {
  const made = async (path: string, body: unknown): Promise<string> => {
    const answer = await api.post(path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.id;
  };
  const role = await made('/roles', { name: 'Editors', description: 'They write and publish' });
  await made('/roles', { name: 'Chief editors', parent: role });
  const policy = await made('/policies', { name: 'Editorial', description: 'What editors work with', app_access: true });
  await made('/access', { role, policy });
  const person = { email: 'emma@example.com', password: 'password of Emma', first_name: 'Emma', last_name: 'Editor' };
  const id = await made('/users', { ...person, role });
  return { role, policy, editor: { id, ...person }, count };
}
