// Requests that were played against Directus, with its answers: plays them against a service and makes both answers comparable. In a recording,
// system collections have the names of the code (`service_users`), and what differs from run to run is replaced by a word.

import { createHash } from 'node:crypto';
import { authenticator } from 'otplib';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Json = any;

export interface Step {
  readonly name: string;
  readonly as: string;
  readonly path: string;
  readonly method?: string;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names for values of the answer, to be filled in later as `{{name}}`. */
  readonly save?: Readonly<Record<string, string>>;
  /** What is compared; without it all. */
  readonly only?: readonly string[];
  readonly mask?: readonly string[];
  readonly resource?: 'fields' | 'relations' | 'collections';
  /** Compared by key instead of by order. */
  readonly unordered?: boolean;
  /** Leaves out system collections. */
  readonly ours?: boolean;
  /** `type`: of a content that is no JSON only the media type is compared. */
  readonly bytes?: 'type';
  /** Changes something, or depends on an answer before it. */
  readonly write?: boolean;
  readonly missing?: boolean;
  readonly unknown?: boolean;
  readonly safer?: boolean;
  readonly leak?: boolean;
  readonly counted?: boolean;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly body: Json;
}

interface Head {
  readonly peer: string;
  readonly callers: Readonly<Record<string, string | null>>;
  readonly names: Readonly<Record<string, string>>;
}

export interface Line {
  readonly n: number;
  readonly step: Step;
  readonly answer: RecordedAnswer;
}

export type Recording = readonly [Head, ...Line[]];

const systemNames =
  'access activity collections comments dashboards deployment_projects deployment_runs deployments extensions fields files flows folders migrations notifications operations panels permissions policies presets relations revisions roles runs sessions settings shares translations users versions'
    .split(' ')
    .join('|');
/** Whole names only: a project's own column `directus_files_id` keeps its name, and so does prose. */
const wholeName = (prefix: string): RegExp => new RegExp(`^${prefix}(?=(?:${systemNames})$)`);
const nameWithin = (prefix: string): RegExp => new RegExp(`\\b${prefix}(?=(?:${systemNames})\\b)`, 'g');
const [recorded, adopted] = ['service_', 'directus_'];

function rename(value: Json, inside = false): Json {
  if (typeof value === 'string') return value.replace(inside ? nameWithin(recorded) : wholeName(recorded), adopted);
  if (Array.isArray(value)) return value.map((entry) => rename(entry));
  if (value === null || typeof value !== 'object') return value;
  const isText = (key: string, entry: Json): boolean => key === 'path' || (key === 'query' && typeof entry === 'string');
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.replace(wholeName(recorded), adopted), rename(entry, isText(key, entry))]),
  );
}

function fill(value: Json, names: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string')
    return value.replace(/\{\{([\w ]+)\}\}/g, (whole, name: string) =>
      name.startsWith('otp ') ? authenticator.generate(name.slice(4)) : (names[name] ?? whole),
    );
  if (Array.isArray(value)) return value.map((entry) => fill(entry, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry, names)]));
}

const valueAt = (value: Json, path: string): Json => path.split('.').reduce((found, key) => found?.[key], value);

function addressOf(path: string, query: Readonly<Record<string, Json>> = {}): string {
  const text = (value: Json): string => (value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value));
  const parts = Object.entries(query).map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(text(value))}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** A one-time code must not reach the end of its life on the way. */
async function waitForFreshCode(step: Step): Promise<void> {
  if (!JSON.stringify(step.body ?? '').includes('{{otp ')) return;
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 6000) await new Promise((resolve) => setTimeout(resolve, left + 10));
}

/** Plays one request after the other; what an answer gives a name can be used by later ones. */
export function openPlayer(url: string, [{ callers, names: known }]: Recording): (step: Step) => Promise<RecordedAnswer> {
  const names: Record<string, string> = { ...known };
  return async (step) => {
    await waitForFreshCode(step);
    const { path, query, body } = rename(fill({ path: step.path, query: step.query, body: step.body }, names));
    const token = step.token === undefined ? callers[step.as] : fill(step.token, names);
    const headers = {
      ...(token == null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...step.headers,
    };
    const answer = await fetch(url + addressOf(path, query), {
      method: step.method ?? 'GET',
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(90_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read = await readAnswer(answer, step);
    for (const [name, place] of Object.entries(step.save ?? {})) names[name] = valueAt(read, place);
    return { status: answer.status, body: read };
  };
}

async function readAnswer(answer: Response, step: Step): Promise<Json> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (bytes.length === 0) return null;
  if (type === 'application/json') return JSON.parse(bytes.toString());
  return step.bytes === 'type' ? { type } : { type, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const moment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** The answer in the form of the recording. `since`: later moments are those of this run. */
export function toRecordedForm(answer: RecordedAnswer, step: Step, since: number): RecordedAnswer {
  let body = answer.body;
  if (body?.errors) body = { ...(body.data === undefined ? {} : { data: body.data }), errors: body.errors.map(codeOnly) };
  if (step.only !== undefined) body = { data: Object.fromEntries(step.only.map((path) => [path, valueAt(body, path)])) };
  body = mask(body, step, since);
  if (step.resource !== undefined) body = structureOnly(body, step.resource);
  if (Array.isArray(body?.data)) {
    const byKey = (a: Json, b: Json): number => (JSON.stringify(keyOf(a)) < JSON.stringify(keyOf(b)) ? -1 : 1);
    if (step.unordered) body.data.sort(byKey);
    if (step.ours) body.data = body.data.filter((row: Json) => !JSON.stringify(keyOf(row)).startsWith(`["${recorded}`));
  }
  return JSON.parse(JSON.stringify({ status: answer.status, body }));
}

const codeOnly = ({ extensions }: Json): Json => ({ code: extensions?.code, field: extensions?.field, type: extensions?.type });

function mask(body: Json, step: Step, since: number): Json {
  const hidden = new Set(step.mask ?? []);
  const left = step.resource === 'collections' ? collectionKeys : [];
  const own = (text: string): string => text.replace(wholeName(adopted), recorded);
  const walk = (value: Json, path: string, key: string | null): Json => {
    if (hidden.has(path.replace(/\.\d+(?=\.|$)/g, '.*')) || (key !== null && hidden.has(key))) return '<any>';
    if (typeof value === 'string') {
      if (key === 'access_token' || key === 'refresh_token') return '<token>';
      return moment.test(value) && Date.parse(value) >= since ? '<now>' : own(value);
    }
    if (Array.isArray(value)) return value.map((entry, index) => walk(entry, `${path}.${index}`, null));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !left.includes(name))
        .map(([name, entry]) => [own(name), walk(entry, path === '' ? name : `${path}.${name}`, name)]),
    );
  };
  return walk(body, '', null);
}

/** Columns that only version 12 of Directus has. */
const collectionKeys = ['status', 'autosave_revision_interval'];
const columnKeys = [
  'is_nullable',
  'is_unique',
  'is_primary_key',
  'has_auto_increment',
  'foreign_key_table',
  'foreign_key_column',
  'max_length',
];

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

const keyOf = (row: Json): Json => [row?.collection ?? row?.many_collection ?? '', row?.field ?? '', row?.id ?? sorted(row)];

/** Of a column, only what every vendor reports. */
function structureOnly(body: Json, resource: NonNullable<Step['resource']>): Json {
  const one = (row: Json): Json => {
    if (row === null || typeof row !== 'object') return row;
    return { ...row, meta: row.meta && metaOnly(row.meta, resource), schema: row.schema && columnOnly(row.schema, resource) };
  };
  if (!body?.data) return body;
  return { ...body, data: Array.isArray(body.data) ? body.data.map(one) : one(body.data) };
}

function metaOnly({ id: _, ...meta }: Json, resource: NonNullable<Step['resource']>): Json {
  const left = resource === 'collections' ? collectionKeys : [];
  const kept = Object.fromEntries(Object.entries(meta).filter(([name]) => !left.includes(name)));
  return Array.isArray(kept['special']) ? { ...kept, special: kept['special'].join(',') } : kept;
}

function columnOnly(schema: Json, resource: NonNullable<Step['resource']>): Json {
  if (resource === 'collections') return { name: schema.name };
  if (resource === 'fields') return Object.fromEntries(columnKeys.map((key) => [key, schema[key] ?? null]));
  const { table, column, foreign_key_table, on_delete } = schema;
  return { table, column, foreign_key_table, on_delete };
}

/** What `toRecordedForm` does to an answer, for the page. */
export interface Reduction {
  readonly title: string;
  readonly why: string;
  concerns(step: Step, answered: RecordedAnswer): boolean;
}

const holds = (answered: RecordedAnswer, text: string): boolean => JSON.stringify(answered.body ?? null).includes(text);

export const reductions: readonly Reduction[] = [
  {
    title: 'Messages of errors: code, field and type are compared',
    why: 'Their words are ours. Programs read the code.',
    concerns: (_, { body }) => body?.errors !== undefined,
  },
  { title: 'Tokens', why: 'They are random.', concerns: (_, answered) => holds(answered, '"<token>"') },
  { title: 'Moments since the run began', why: 'They are those of the run.', concerns: (_, answered) => holds(answered, '"<now>"') },
  {
    title: 'Single values, for which the step names a place',
    why: 'Keys that the server makes, sort numbers of fields, and one list of related items that the request leaves unsorted.',
    concerns: ({ mask = [] }) => mask.length > 0,
  },
  {
    title: 'All but some members of the answer',
    why: 'The rest tells of the installation: versions, limits, rights on system collections, merged items of a version.',
    concerns: ({ only }) => only !== undefined,
  },
  {
    title: 'Order of lists that were asked for without one',
    why: 'A database may answer them in any order.',
    concerns: ({ unordered }) => unordered === true,
  },
  {
    title: 'System collections in lists of the structure',
    why: 'Ours are described by other texts and lack those that belong to the bookkeeping of Directus.',
    concerns: ({ ours }) => ours === true,
  },
  {
    title: 'Of `schema`, all but name, keys, nullability, uniqueness, numbering and length; of `meta`, the number of the row',
    why: 'Types of the vendor, defaults and comments are written otherwise by every vendor, and the recordings were made on one.',
    concerns: ({ resource }) => resource !== undefined,
  },
  {
    title: 'Whether `meta.special` is a list or a text',
    why: 'The recordings keep it as a text. That it is a list is tested elsewhere (`test/e2e/wire.test.ts`).',
    concerns: ({ resource }) => resource === 'fields',
  },
  {
    title: 'Columns of version 12 in `meta` of collections',
    why: '`status` and `autosave_revision_interval` have no meaning here.',
    concerns: ({ resource }) => resource === 'collections',
  },
  {
    title: 'Bytes of made pictures: the media type is compared',
    why: 'Encoders differ between versions of the same library.',
    concerns: ({ bytes }) => bytes === 'type',
  },
];

export interface Difference {
  readonly path: string;
  readonly was: Json;
  readonly is: Json;
}

export function* differences(was: Json, is: Json, path = ''): Generator<Difference> {
  if (Object.is(was, is)) return;
  const nested = was && is && typeof was === 'object' && typeof is === 'object' && Array.isArray(was) === Array.isArray(is);
  if (!nested) {
    yield { path, was, is };
    return;
  }
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)]))
    yield* differences(was[key], is[key], path === '' ? key : `${path}.${key}`);
}
