// What callers may know and do about themselves.

import { findCollection, findField } from '../../core/access/view.js';
import type { Selection } from '../../core/query/query.js';
import { permissionsOfCaller } from '../auth/access/permissions-of-caller.js';
import { makeFindItem, permissionsOnItem } from '../auth/access/permissions-on-item.js';
import { trackPage as keepPage, ownKey } from '../auth/account/own-account.js';
import { JsonText, parseQuery, partsOfKey, segmentOfKey, UrlQuery } from './carried-values.js';
import { checkMatch } from './items/check-match.js';
import { makeTag } from './items/entity-tag.js';
import { checkAnswer } from './items/write-operation.js';
import { may } from './open-rule.js';
import { type Operation, Outcome, operation } from './operation.js';
import { boolean, document, headerValue, itemKey, list, nothing, object, optional, query, text, withDefault } from './shape.js';

const tag = 'account';
const users = 'service_users';

/**
 * If callers ask for a field of themselves that they may not read, the answer still tells who they are; administrators get an error for a
 * missing field.
 */
export const readMe = operation({
  id: 'readMe',
  tag,
  summary: 'The own user',
  input: { query: withDefault(query('item'), {}) },
  output: document(),
  open: ['own-account-or-guest'],
  once: 'never',
  run: async ({ deps, caller, work }, input) => {
    const { share, admin } = caller.accountability;
    if (share !== null) return { share: share.id };
    const id = ownKey(caller);
    const collection = findCollection(caller.view, users, 'read');
    if (collection === null) return { id };
    const parsed = parseQuery(input.query, deps.limits);
    const isHidden = (selection: Selection): boolean =>
      selection.kind === 'field' && findField(caller.view, collection, selection.field.name, 'read') === null;
    if (!admin && parsed.query.fields.some(isHidden)) return { id };
    return new JsonText(await deps.reader.item(work, users, [id], parsed));
  },
});

export const updateMe = operation({
  id: 'updateMe',
  tag,
  summary: 'Update the own user',
  input: { data: document(), match: optional(headerValue), query: withDefault(query('written'), {}) },
  output: optional(document()),
  open: ['own-account', may('update', users)],
  once: 'in-transaction',
  run: async ({ deps, caller, textTransaction }, { data, match, query: asked }) => {
    const id = ownKey(caller);
    const parsed = checkAnswer(deps, caller, users, parseQuery(asked, deps.limits));
    let etag: string | null = null;
    const answer = await textTransaction(
      async (work) => {
        if (match !== null) await checkMatch(deps, work, users, segmentOfKey(id), match);
        const [written] = await deps.writer.update(work, users, [id], data);
        if (written === undefined || parsed === null) return () => 'null';
        const item = await deps.reader.enqueueItem(work, users, [written].flat(), parsed);
        return () => {
          const text = item();
          if (text !== null && asked instanceof UrlQuery) etag = makeTag(asked.text, text);
          return text ?? 'null';
        };
      },
      // A repetition is the same request whatever it expects of the item, which the first one changed.
      { asked: { data, query: asked } },
    );
    return new Outcome(answer, { etag });
  },
});

export const readMyRoles = operation({
  id: 'readMyRoles',
  tag,
  summary: 'The own roles',
  input: { query: withDefault(query('list'), {}) },
  output: list(document()),
  open: ['users'],
  once: 'never',
  run: async ({ deps, caller, work }, input) => {
    const { roles } = caller.accountability;
    if (findCollection(caller.view, 'service_roles', 'read') === null) return roles.map((id) => ({ id }));
    const { items } = await deps.reader.items(work, 'service_roles', parseQuery(input.query, deps.limits), roles);
    return new JsonText(`[${items}]`);
  },
});

export const readMyGlobals = operation({
  id: 'readMyGlobals',
  tag,
  summary: 'What the own policies say as a whole',
  input: {},
  output: object(
    { app_access: boolean, admin_access: optional(boolean), enforce_tfa: optional(boolean) },
    { name: 'policies_me_globals_type' },
  ),
  open: ['everybody'],
  once: 'never',
  run: async ({ deps, caller }) => {
    const globals = await deps.authenticator.globals(caller);
    // The public neither administers nor has a second factor.
    return caller.accountability.user === null && caller.accountability.share === null ? { app_access: globals.app_access } : globals;
  },
});

export const readMyPermissions = operation({
  id: 'readMyPermissions',
  tag,
  summary: 'What one may do',
  input: {},
  output: document(),
  open: ['known'],
  once: 'never',
  run: ({ caller }) => permissionsOfCaller(caller),
});

const access = object({ access: boolean });

export const readMyPermissionsOnItem = operation({
  id: 'readMyPermissionsOnItem',
  tag,
  summary: 'What one may do with an item',
  input: { collection: text(), id: optional(itemKey) },
  output: object({ update: access, delete: access, share: access }),
  open: ['known'],
  once: 'never',
  run: ({ deps, caller, work }, { collection, id }) => {
    const keyIn = id === null ? null : (of: Parameters<typeof partsOfKey>[0]) => partsOfKey(of, id);
    return permissionsOnItem(makeFindItem(deps.reader, deps.limits, work), caller, collection, keyIn);
  },
});

export const trackPage = operation({
  id: 'trackPage',
  tag,
  summary: 'Keep the page last visited',
  input: { last_page: text({ maxLength: 255 }) },
  output: nothing,
  open: ['own-account'],
  once: 'never',
  run: ({ deps, caller }, { last_page: page }) => keepPage(deps.auth, caller, page),
});

export const ownOperations: readonly Operation[] = [
  readMe,
  updateMe,
  readMyRoles,
  readMyGlobals,
  readMyPermissions,
  readMyPermissionsOnItem,
  trackPage,
];
