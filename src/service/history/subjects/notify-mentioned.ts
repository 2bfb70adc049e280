// Hooks on writes of comments: users mentioned in a text are notified, if they may read the item it is about. The notifications are written in
// the transaction of the comment, so that neither exists without the other; their mails follow after the commit (`mail-notifications.ts`). The
// author of the comment learns nothing of it: a mention of somebody who may not read the item, is suspended or does not exist is a text like
// any other.

import { type Caller, findCollection, findField, makeView, serviceCaller } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { BeforeEvent, Hooks } from '../../../core/engine/write/hooks.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { groupBy } from '../../../core/util/group-by.js';
import type { Authenticator } from '../../auth/session/authenticate.js';
import { mentionedUsers, newlyMentioned, withNames } from './mentions.js';
import { findReadable, isReadablePersonal } from './read-main.js';

const comments = 'service_comments';

export interface MentionDeps {
  readonly reader: Pick<Reader, 'keys' | 'objects' | 'facts'>;
  readonly writer: Pick<Writer, 'create'>;
  readonly ofUsers: Authenticator['ofUsers'];
}

interface Comment {
  readonly collection: string;
  readonly item: string;
  readonly text: string;
  readonly mentioned: readonly string[];
}

export function notifyMentioned(hooks: Hooks, deps: MentionDeps): void {
  hooks.before(comments, 'create', async ({ work, items }) => {
    await notify(
      deps,
      work,
      items.flatMap(({ values }) => readComment(Object.fromEntries(values), '')),
    );
    return undefined;
  });
  hooks.before(comments, 'update', async (event) => {
    await notify(deps, event.work, await changedComments(deps, event));
    return undefined;
  });
}

/** `before`: the former text of the comment; users it mentions have already been notified. */
function readComment(row: Readonly<Record<string, unknown>>, before: unknown): readonly Comment[] {
  const { collection, item, comment } = row;
  const mentioned = newlyMentioned(comment, before);
  return mentioned.length === 0 ? [] : [{ collection: String(collection), item: String(item), text: String(comment), mentioned }];
}

/** Comments whose new text mentions somebody. They are locked first: of two changes at once, the second sees the text of the first. */
async function changedComments({ reader }: MentionDeps, { work, items, collection, hold }: BeforeEvent): Promise<readonly Comment[]> {
  const changed = items.filter(({ values }) => mentionedUsers(values.get('comment')).length > 0);
  if (changed.length === 0) return [];
  await hold();
  const present = await reader.objects({ ...work, caller: serviceCaller(work.caller.view.schema) }, collection.name, {
    fields: ['id', 'collection', 'item', 'comment'],
    filter: { id: { _in: changed.map(({ key }) => key) } },
    limit: -1,
  });
  const byKey = new Map(present.map((row) => [String(row['id']), row]));
  return changed.flatMap(({ key, values }) => {
    const row = byKey.get(String(key));
    return row === undefined ? [] : readComment({ ...row, ...Object.fromEntries(values) }, row['comment']);
  });
}

async function notify(deps: MentionDeps, work: TransactionWork, written: readonly Comment[]): Promise<void> {
  const { accountability, view } = work.caller;
  const users = new Set(written.flatMap(({ mentioned }) => mentioned));
  if (accountability.user !== null) users.delete(accountability.user);
  if (users.size === 0) return;
  const recipients = (await deps.ofUsers([...users], work.connection)).map((caller) => onSchemaOf(work, caller));
  const deliveries: { readonly recipient: Caller; readonly comment: Comment }[] = [];
  for (const [name, some] of groupBy(written, ({ collection }) => collection)) {
    const seen = await findSeen(deps, work, recipients, name, some);
    for (const comment of some)
      for (const recipient of recipients)
        if (comment.mentioned.includes(userOf(recipient)) && seen.get(userOf(recipient))?.has(comment.item))
          deliveries.push({ recipient, comment });
  }
  if (deliveries.length === 0) return;
  const names = await readNames(deps, work, [...new Set(deliveries.map(({ recipient }) => recipient))], [...users]);
  // With the rights of the service, since the author may have none to notify, and in the author's name.
  const byAuthor = { ...work, caller: { ...serviceCaller(view.schema), accountability } };
  await deps.writer.create(
    byAuthor,
    'service_notifications',
    deliveries.map(({ recipient, comment: { collection, item, text } }) => ({
      recipient: userOf(recipient),
      subject: `You were mentioned in ${collection}`.slice(0, 255),
      message: withNames(text, names.get(userOf(recipient)) ?? new Map()),
      collection,
      item,
    })),
  );
}

const userOf = ({ accountability }: Caller): string => accountability.user ?? '';

const onSchemaOf = ({ caller: { view } }: TransactionWork, caller: Caller): Caller => ({
  ...caller,
  view: makeView(view.schema, caller.view.grants),
});

/** Which of the items each recipient may read, with their own rights. */
function findSeen(
  { reader }: MentionDeps,
  work: TransactionWork,
  recipients: readonly Caller[],
  name: string,
  some: readonly Comment[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const addressed = new Set(some.flatMap(({ mentioned }) => mentioned));
  const items = [...new Set(some.map(({ item }) => item))];
  const readers = recipients.flatMap((caller) => {
    const collection = addressed.has(userOf(caller)) ? findCollection(caller.view, name, 'read') : null;
    return collection === null ? [] : [{ caller, collection }];
  });
  return readThroughEach(
    readers,
    ({ caller, collection }) => isReadablePersonal(reader, caller, collection),
    ({ caller, collection }) => findReadable(reader, { ...work, caller }, collection, items),
  );
}

const nameFields = ['first_name', 'last_name'];

/** The names of the mentioned users that each recipient may read, with their own rights. */
function readNames(
  { reader }: MentionDeps,
  work: TransactionWork,
  recipients: readonly Caller[],
  users: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const readers = recipients.flatMap((caller) => {
    const collection = findCollection(caller.view, work.caller.view.schema.nameOf('service_users'), 'read');
    const mayRead = (name: string): boolean => collection !== null && findField(caller.view, collection, name, 'read') !== null;
    const fields = nameFields.filter(mayRead);
    return collection === null || !mayRead('id') || fields.length === 0
      ? []
      : [{ caller, collection: collection.name, query: { fields: ['id', ...fields], filter: { id: { _in: users } }, limit: -1 } }];
  });
  return readThroughEach(
    readers,
    ({ caller, collection, query }) => reader.facts({ caller }, collection, parseQueryObject(query, defaultQueryLimits)).dynamic.length > 0,
    async ({ caller, collection, query }) =>
      new Map((await reader.objects({ ...work, caller }, collection, query)).flatMap((row) => namedUser(row))),
  );
}

function namedUser({ id, first_name: first, last_name: last }: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const name = [first, last].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return name === '' ? [] : [[String(id), name]];
}

/**
 * What each caller sees, by user. Callers of one view share a read, unless it is personal: then each needs their own. A read that their rights
 * refuse shows nothing, and never fails the request of somebody else.
 */
async function readThroughEach<R extends { readonly caller: Caller }, T>(
  readers: readonly R[],
  isPersonal: (reader: R) => boolean,
  read: (reader: R) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const keyed: { readonly reader: R; readonly key: string }[] = [];
  for (const reader of readers) {
    const { view } = reader.caller;
    const key = await unlessRefused(async () => (isPersonal(reader) ? `${view.key} ${userOf(reader.caller)}` : view.key));
    if (key !== undefined) keyed.push({ reader, key });
  }
  const seen = new Map<string, T>();
  for (const some of groupBy(keyed, ({ key }) => key).values()) {
    const [first] = some;
    const found = first === undefined ? undefined : await unlessRefused(() => read(first.reader));
    if (found !== undefined) for (const { reader } of some) seen.set(userOf(reader.caller), found);
  }
  return seen;
}

async function unlessRefused<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
