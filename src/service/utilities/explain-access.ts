// Explains why a user may or may not do something: which policy, permission, rule and value decides. Only administrators can ask. Whether a
// rule covers an item is decided by the statement that a read would use. The values in the explanation are read with the administrator's
// own rights, so that concealed values stay concealed.

import { type FailedCondition, failedConditions } from '../../core/access/failed-conditions.js';
import { findRelated, mayFollowAny } from '../../core/access/follow.js';
import { makeLookup } from '../../core/access/match-lookup.js';
import type { Action, Permission, Rule } from '../../core/access/permission.js';
import { type Caller, findField, grantOf, makeView, type SchemaView } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { MaybePromise } from '../../core/engine/work/maybe-promise.js';
import type { Work } from '../../core/engine/work/work.js';
import { invalidPayload, ServiceError } from '../../core/errors/service-error.js';
import { escapeName } from '../../core/query/escape-name.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import type { FieldRef, Filter, QueryLimits } from '../../core/query/query.js';
import type { Collection, Field } from '../../core/schema/schema.js';
import { isPlainObject } from '../../core/util/plain-object.js';
import type { ClientFacts } from '../auth/auth-context.js';
import type { Authenticator } from '../auth/session/authenticate.js';
import type { Viewed, ViewTarget } from '../auth/session/view-as.js';

export const accessReasons = [
  'granted',
  'administrator',
  'inactive',
  'no_item',
  'no_permission',
  'rule',
  'field',
  'related_collection',
] as const;

type Reason = (typeof accessReasons)[number];

interface ExplainedCondition {
  /** The relations that lead to the field. */
  readonly path: readonly string[];
  readonly field: string;
  readonly operator: string;
  /** As written in the rule: a dynamic value by its name. */
  readonly operand: unknown;
  /** The item's value, or those of its related items. */
  readonly value: unknown;
}

interface ExplainedPermission {
  readonly policy: { readonly id: string; readonly name: string | null };
  /** null: not a stored one; the policy's app access or administrator access brings it. */
  readonly id: number | null;
  readonly rule: unknown;
  readonly fields: readonly string[];
  /** null: no item, or no field, was asked about. */
  readonly covers_item: boolean | null;
  readonly covers_field: boolean | null;
  readonly failed: readonly ExplainedCondition[];
}

export interface AccessExplanation {
  readonly allowed: boolean;
  readonly reason: Reason;
  readonly message: string;
  readonly permissions: readonly ExplainedPermission[];
}

export interface AccessQuestion {
  readonly target: ViewTarget;
  readonly collection: string;
  readonly action: Action;
  /** null: any item. */
  readonly key: ((collection: Collection) => readonly unknown[]) | null;
  /** null: any field. */
  readonly field: string | null;
}

export interface ExplainAccessDeps {
  readonly reader: Reader;
  readonly limits: QueryLimits;
  readonly authenticator: Authenticator;
  resolveStored(caller: Caller, literals: readonly unknown[]): MaybePromise<(value: unknown) => unknown>;
}

/** One permission that may decide. */
interface Candidate {
  readonly policy: string;
  readonly permission: Permission;
  /** Distinguishes the permission in the keys of cached plans. */
  readonly key: string;
}

export async function explainAccess(
  deps: ExplainAccessDeps,
  work: Work,
  client: ClientFacts,
  question: AccessQuestion,
): Promise<AccessExplanation> {
  const { collection, field } = findSubject(work.caller.view, question);
  const viewed = await deps.authenticator.viewed(question.target, client);
  if (!viewed.isActive) return decided(false, 'inactive', []);
  const candidates = findCandidates(viewed, collection, question.action);
  const item = question.key === null ? null : await readItem(deps, work, collection, question.key, candidates);
  if (item === 'missing') return decided(false, 'no_item', []);
  if (viewed.caller.accountability.admin) return decided(true, 'administrator', await administrators(deps, work, viewed));
  const explained = await explainEach({ deps, work, viewed, collection, item, question }, candidates);
  const { allowed, reason } = judge(explained, viewed.caller.view, collection, field, question.action);
  return decided(allowed, reason, explained);
}

interface Subject {
  readonly collection: Collection;
  readonly field: Field | null;
}

function findSubject(view: SchemaView, { collection: name, field: fieldName, action, key }: AccessQuestion): Subject {
  const collection = view.schema.collections.get(name);
  if (collection === undefined || collection.table === null) throw invalidPayload(`There is no collection "${name.slice(0, 100)}".`);
  const field = fieldName === null ? null : (collection.fields.get(fieldName) ?? null);
  if (fieldName !== null && field === null) throw invalidPayload(`"${name}" has no field "${fieldName.slice(0, 100)}".`);
  if (action === 'create' && key !== null) throw invalidPayload('What is to be created is no item yet: leave out "item".');
  return { collection, field };
}

function findCandidates({ policies }: Viewed, { name }: Collection, action: Action): readonly Candidate[] {
  return policies.flatMap(({ id, view }) => {
    const grant = grantOf(view, name, action);
    if (grant === null || grant === 'all') return [];
    return grant.map((permission, index) => ({ policy: id, permission, key: `${view.grants.key} ${action} ${name} ${index}` }));
  });
}

type Item = Readonly<Record<string, unknown>>;

/** Reads the item with all fields that the rules compare, in one read. */
async function readItem(
  { reader, limits }: ExplainAccessDeps,
  work: Work,
  collection: Collection,
  key: NonNullable<AccessQuestion['key']>,
  candidates: readonly Candidate[],
): Promise<Item | 'missing'> {
  const looked = candidates.flatMap(({ permission: { rule } }) => (rule === null ? [] : pathsOf(rule.filter, '')));
  const fields = [...new Set([...collection.primaryKey.map(escapeName), ...looked])];
  try {
    return JSON.parse(await reader.item(work, collection.name, key(collection), parseQueryObject({ fields }, limits))) as Item;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return 'missing';
    throw error;
  }
}

function pathsOf(filter: Filter, before: string): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap((part) => pathsOf(part, before));
    case 'related':
      return pathsOf(filter.filter, `${before}${pathText(filter.field)}.`);
    default:
      return [`${before}${escapeName(filter.field.name)}`];
  }
}

const pathText = ({ name, scope }: FieldRef): string => `${escapeName(name)}${scope === null ? '' : `:${escapeName(scope)}`}`;

interface Explaining {
  readonly deps: ExplainAccessDeps;
  readonly work: Work;
  readonly viewed: Viewed;
  readonly collection: Collection;
  readonly item: Item | null;
  readonly question: AccessQuestion;
}

async function explainEach(explaining: Explaining, candidates: readonly Candidate[]): Promise<readonly ExplainedPermission[]> {
  const { deps, work, question, collection } = explaining;
  const names = await policyNames(
    deps,
    work,
    candidates.map(({ policy }) => policy),
  );
  const rules = await storedRules(
    deps,
    work,
    candidates.flatMap(({ permission: { id } }) => id ?? []),
  );
  const explained: ExplainedPermission[] = [];
  for (const candidate of candidates) {
    const { policy, permission } = candidate;
    const coversItem = explaining.item === null ? null : await covers(explaining, candidate);
    explained.push({
      policy: { id: policy, name: names.get(policy) ?? null },
      id: permission.id ?? null,
      rule: permission.id === undefined ? null : (rules.get(permission.id) ?? null),
      fields: permission.fields === '*' ? ['*'] : [...permission.fields],
      covers_item: coversItem,
      covers_field: question.field === null ? null : listsField(permission, collection, question.field),
      failed: coversItem === false && permission.rule !== null ? await failures(explaining, permission.rule) : [],
    });
  }
  return explained;
}

/** A reference over several columns has to be listed by each of them. */
function listsField({ fields }: Permission, collection: Collection, name: string): boolean {
  if (fields === '*' || fields.has(name)) return true;
  const field = collection.fields.get(name);
  return field?.kind === 'reference' && field.relation.pairs.every(({ column }) => fields.has(column));
}

/** Reads the item as the viewed caller, with this permission as the only one. */
async function covers({ deps, work, viewed, collection, question }: Explaining, { permission, key }: Candidate): Promise<boolean> {
  if (permission.rule === null || question.key === null) return true;
  const { caller } = viewed;
  const only = {
    key: `explain ${key}`,
    admin: false,
    byCollection: new Map([[collection.name, { read: [{ ...permission, fields: '*' as const }] }]]),
  };
  const asked = { ...work, caller: { ...caller, view: makeView(caller.view.schema, only) } };
  const fields = collection.primaryKey.map(escapeName);
  try {
    await deps.reader.item(asked, collection.name, question.key(collection), parseQueryObject({ fields }, deps.limits));
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

async function failures({ deps, viewed, collection, item }: Explaining, rule: Rule): Promise<readonly ExplainedCondition[]> {
  const resolve = await deps.resolveStored(viewed.caller, rule.literals);
  const literals = { stored: rule.literals, resolved: rule.literals.map(resolve) };
  const failed = failedConditions(rule.filter, literals, item ?? {}, makeLookup(viewed.caller.view.schema, collection));
  return failed.map((condition) => ({ ...condition, value: valueAt(item, condition) }));
}

/** More values of related items than these do not make the answer clearer. */
const maxValues = 10;

function valueAt(item: Item | null, { path, field }: FailedCondition): unknown {
  let values: readonly unknown[] = [item];
  for (const step of [...path, field]) values = values.flatMap((value) => (isPlainObject(value) ? (value[step] ?? null) : null));
  return values.length > 1 ? values.slice(0, maxValues) : (values[0] ?? null);
}

const reads = async (deps: ExplainAccessDeps, work: Work, name: string, fields: readonly string[], ids: readonly unknown[]) =>
  ids.length === 0
    ? []
    : deps.reader.objects(work, work.caller.view.schema.nameOf(name), { fields, filter: { id: { _in: [...new Set(ids)] } }, limit: -1 });

async function policyNames(deps: ExplainAccessDeps, work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await reads(deps, work, 'service_policies', ['id', 'name'], ids);
  return new Map(rows.map((row) => [String(row['id']), String(row['name'])]));
}

async function storedRules(deps: ExplainAccessDeps, work: Work, ids: readonly number[]): Promise<ReadonlyMap<number, unknown>> {
  const rows = await reads(deps, work, 'service_permissions', ['id', 'permissions'], ids);
  return new Map(rows.map((row) => [Number(row['id']), row['permissions'] ?? null]));
}

/** The policies that make the user an administrator. */
async function administrators(deps: ExplainAccessDeps, work: Work, { policies }: Viewed): Promise<readonly ExplainedPermission[]> {
  const ids = policies.filter(({ view }) => view.grants.admin).map(({ id }) => id);
  const names = await policyNames(deps, work, ids);
  return ids.map((id) => ({
    policy: { id, name: names.get(id) ?? null },
    id: null,
    rule: null,
    fields: ['*'],
    covers_item: true,
    covers_field: true,
    failed: [],
  }));
}

/** A field is open where one permission covers both it and the item. */
function judge(
  explained: readonly ExplainedPermission[],
  view: SchemaView,
  collection: Collection,
  field: Field | null,
  action: Action,
): Pick<AccessExplanation, 'allowed' | 'reason'> {
  if (explained.length === 0) return { allowed: false, reason: 'no_permission' };
  if (explained.every((permission) => permission.covers_item === false)) return { allowed: false, reason: 'rule' };
  const isOpen = explained.some((permission) => permission.covers_item !== false && permission.covers_field !== false);
  if (!isOpen || (field !== null && findField(view, collection, field.name, action) === null)) return { allowed: false, reason: 'field' };
  if (field !== null && action === 'read' && !mayFollow(view, collection, field)) return { allowed: false, reason: 'related_collection' };
  return { allowed: true, reason: 'granted' };
}

/** The column of a many-to-one is readable even if the related item is not. */
function mayFollow(view: SchemaView, collection: Collection, field: Field): boolean {
  if (field.kind === 'relation') return findRelated(view, field) !== null;
  if (field.kind === 'column' && field.relation?.kind === 'm2a') return mayFollowAny(view, collection, field);
  return true;
}

const messages: Readonly<Record<Reason, string>> = {
  granted: 'Allowed.',
  administrator: 'Allowed: an administrator may do everything.',
  inactive: 'Not allowed: this user may not sign in.',
  no_item: 'There is no such item.',
  no_permission: 'Not allowed: no policy has a permission for this action on the collection.',
  rule: 'Not allowed: no rule of a permission covers the item.',
  field: 'Not allowed: no permission that covers the item lists the field.',
  related_collection: 'Not allowed: the related items, or the field that links them, may not be read.',
};

function decided(allowed: boolean, reason: Reason, permissions: readonly ExplainedPermission[]): AccessExplanation {
  const failed = reason === 'rule' ? permissions.flatMap((permission) => permission.failed.map((each) => [permission, each] as const)) : [];
  const [first] = failed;
  if (first === undefined) return { allowed, reason, message: messages[reason], permissions };
  const [{ policy }, { path, field, operator, operand, value }] = first;
  const text = `Not allowed: policy "${policy.name}" wants ${[...path, field].join('.')} ${operator} ${JSON.stringify(operand)}, and it is ${JSON.stringify(value)}.`;
  return { allowed, reason, message: text, permissions };
}
