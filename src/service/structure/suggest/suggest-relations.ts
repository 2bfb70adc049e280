// Proposes relations that nobody declared: candidates by name and type, each compared with the values that are stored. All of it is bounded: a sample of
// each column, one statement per candidate, and two seconds for everything.

import type { Schema } from '../../../core/schema/schema.js';
import { integer, render, type Sql, sql } from '../../../core/sql/sql.js';
import { DatabaseError, isPassing } from '../../../core/vendor/database-error.js';
import { type Dialect, syntaxFor } from '../../../core/vendor/dialect.js';
import { type Candidate, findCandidates } from './candidates.js';

export interface Suggestion {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string;
  /** What the list on the other side would be called; null if no name is free. */
  readonly one_field: string | null;
  /** How many different values were compared with the keys; 0 if there were none, null if there was no time left. */
  readonly compared: number | null;
  /** How many of them are keys of the related collection. */
  readonly matched: number | null;
}

/** Rows of which the values are taken, and different values that are looked up. */
const sampledRows = 1000;
const comparedValues = 200;
const enoughMs = 1500;
const mostCandidates = 1000;
/** The share of values that have to match. */
const leastShare = 0.6;

export async function suggestRelations(databases: Databases, schema: Schema): Promise<readonly Suggestion[]> {
  const candidates = findCandidates(schema)
    .toSorted((a, b) => b.closeness - a.closeness)
    .slice(0, mostCandidates);
  const until = performance.now() + enoughMs;
  const compared: Compared[] = [];
  for (const candidate of candidates) {
    const left = until - performance.now();
    compared.push({ candidate, ...(left > 0 ? await compareValues(databases, candidate, left) : unknown) });
  }
  return nameLists(bestOfEach(compared));
}

type Databases = Pick<Dialect, 'driver' | 'syntax' | 'mirrored'>;

interface Values {
  readonly compared: number | null;
  readonly matched: number | null;
}

interface Compared extends Values {
  readonly candidate: Candidate;
}

const unknown: Values = { compared: null, matched: null };

async function compareValues(databases: Databases, candidate: Candidate, left: number): Promise<Values> {
  const { collection, field, related, key } = candidate;
  if (collection.table === null || related.table === null) return unknown;
  const syntax = syntaxFor(databases, collection.table);
  const [value, target] = [syntax.identifier(field.column.name), syntax.identifier(key.column.name)];
  // Where nothing is meant, applications that do without foreign keys store 0 or an empty text.
  const nothing: Sql = field.column.type === 'integer' || field.column.type === 'bigInteger' ? sql`0` : sql`''`;
  const some = sql`SELECT ${value} AS v FROM ${syntax.table(collection.table)} LIMIT ${integer(sampledRows)}`;
  const meant = field.column.type === 'uuid' ? sql`v IS NOT NULL` : sql`v IS NOT NULL AND v <> ${nothing}`;
  const distinct = sql`SELECT DISTINCT v FROM (${some}) s WHERE ${meant} LIMIT ${integer(comparedValues)}`;
  const found = sql`SELECT COUNT(*), COUNT(CASE WHEN EXISTS (SELECT 1 FROM ${syntax.table(related.table)} r WHERE r.${target} = d.v) THEN 1 END) FROM (${distinct}) d`;
  const { text } = render(found, syntax.placeholder);
  try {
    const [row] = await databases.driver.rows(
      { kind: 'read', text, values: [], mirrored: collection.table.mirrored === true },
      AbortSignal.timeout(Math.ceil(left)),
    );
    return { compared: Number(row?.[0] ?? 0), matched: Number(row?.[1] ?? 0) };
  } catch (error) {
    // Values of types that cannot be compared, or a table that does not answer in time, are no reason to propose nothing else.
    if (
      error instanceof DatabaseError &&
      (!isPassing(error) || error.kind === 'cancelled' || error.kind === 'timeout' || error.kind === 'locked')
    )
      return unknown;
    throw error;
  }
}

/** The best target of each field, if its values agree with it. */
function bestOfEach(all: readonly Compared[]): readonly Compared[] {
  const best = new Map<string, Compared>();
  for (const one of all) {
    const share = shareOf(one);
    if (share !== null && share < leastShare) continue;
    const place = JSON.stringify([one.candidate.collection.name, one.candidate.field.name]);
    const other = best.get(place);
    if (other === undefined || rank(one) > rank(other)) best.set(place, one);
  }
  return [...best.values()].toSorted((a, b) => rank(b) - rank(a));
}

/** null: there are no values to go by. */
const shareOf = ({ compared, matched }: Values): number | null => (compared === null || compared === 0 ? null : (matched ?? 0) / compared);

/** What values prove comes before what only names say. */
const rank = (one: Compared): number => (shareOf(one) ?? -1) * 10 + one.candidate.closeness;

/** A list is called as its collection, or after its field as well where several lead to the same one. */
function nameLists(found: readonly Compared[]): readonly Suggestion[] {
  const pairs = found.map(({ candidate: { collection, related } }) => `${related.name}\0${collection.name}`);
  return found.map(({ candidate: { collection, field, related }, compared, matched }, index) => {
    const several = pairs.filter((pair) => pair === pairs[index]).length > 1 || related === collection;
    const plain = collection.name.replace(/[.,:()]/g, '_');
    const names = [...(several ? [] : [plain]), `${plain}_by_${field.name.replace(/[.,:()]/g, '_')}`];
    const free = names.find((name) => !related.fields.has(name) && name.length <= 64) ?? null;
    return { collection: collection.name, field: field.name, related_collection: related.name, one_field: free, compared, matched };
  });
}
