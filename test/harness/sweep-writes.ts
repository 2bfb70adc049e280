// The writes of a sweep, over REST and GraphQL: each value is written back as it was read, and written again after it was set to null.

import type { Answer, Api } from './api.js';
import { graphqlName } from './sweep-graphql.js';
import { describeFailure, type Item, itemsPath, keyOf, type SweepField, type SweepTarget } from './sweep-targets.js';

interface FieldAccess {
  readonly name: string;
  read(): Promise<unknown>;
  write(value: unknown): Promise<Answer>;
}

export async function sweepWrites(api: Api, target: SweepTarget, keeps: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const failures: string[] = [];
  if (target.key.length === 0) return failures;
  for (const field of target.fields) {
    if (field.isGenerated || target.key.includes(field.name) || `${target.collection}.${field.name}` in keeps) continue;
    for (const item of target.items) {
      for (const access of accessesTo(api, target, item, field)) failures.push(...(await playField(target, field, access)));
    }
  }
  return failures;
}

function accessesTo(api: Api, target: SweepTarget, item: Item, { name }: SweepField): readonly FieldAccess[] {
  const path = `${itemsPath(target.collection)}/${keyOf(target, item)}`;
  const rest: FieldAccess = {
    name: 'REST',
    read: async () => (await api.get(`${path}?fields=${encodeURIComponent(name)}`)).body?.data?.[name],
    write: (value) => api.patch(path, { [name]: value }),
  };
  const root = graphqlName(target.collection);
  if (![root, name].every((text) => /^[A-Za-z_]\w*$/.test(text))) return [rest];
  const id = target.key.length === 1 ? item[target.key[0] ?? ''] : keyOf(target, item);
  const ask = `query($id: ID!) { it: ${root}_by_id(id: $id) { ${name} } }`;
  const change = `mutation($id: ID!, $data: update_${root}_input!) { it: update_${root}_item(id: $id, data: $data) { ${name} } }`;
  const graphql: FieldAccess = {
    name: 'GraphQL',
    read: async () => (await api.graphql(ask, { id: String(id) })).body?.data?.it?.[name],
    write: async (value) => failing(await api.graphql(change, { id: String(id), data: { [name]: value } })),
  };
  return [rest, graphql];
}

/** GraphQL reports failures in the body. */
const failing = (answer: Answer): Answer =>
  answer.body?.errors === undefined ? answer : { ...answer, status: Math.max(answer.status, 400) };

async function playField(target: SweepTarget, field: SweepField, access: FieldAccess): Promise<readonly string[]> {
  const failures: string[] = [];
  const before = await access.read();
  // Over GraphQL a relation needs a selection of its fields, so reading it without one fails.
  if (before === undefined) return failures;
  const expectBack = async (what: string, answer: Answer): Promise<void> => {
    const after = await access.read();
    if (answer.status !== 200 || JSON.stringify(after) !== JSON.stringify(before))
      failures.push(
        describeFailure(
          target,
          `${access.name}: ${what} ${field.name} (${field.type}) = ${JSON.stringify(before)}, then ${JSON.stringify(after)};`,
          answer,
        ),
      );
  };
  await expectBack('writing back', await access.write(before));
  if (before === null || !field.isNullable) return failures;
  const cleared = await access.write(null);
  if (cleared.status >= 500) failures.push(describeFailure(target, `${access.name}: clearing ${field.name}`, cleared));
  if (cleared.status === 200) await expectBack('writing anew', await access.write(before));
  return failures;
}
