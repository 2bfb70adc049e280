// Where the service answers otherwise than Directus on purpose: each reason tests one difference between a recorded answer and the
// service's. A difference without a reason is a defect. docs/compatibility.md lists the reasons with their numbers.

import { type Difference, differences, type Json, type RecordedAnswer, type Step } from './recorded-answers.js';
import type { VendorName } from './vendors.js';

export interface Differing extends Difference {
  /** On which the service runs. The recordings were made on SQLite. */
  readonly vendor: VendorName;
  readonly step: Step;
  readonly answered: { readonly was: RecordedAnswer; readonly is: RecordedAnswer };
}

export interface Reason {
  readonly title: string;
  readonly why: string;
  applies(differing: Differing): boolean;
}

const isNumeric = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)));
const isForbidden = ({ is }: Differing['answered']): boolean => is.status === 403 && is.body?.errors?.[0]?.code === 'FORBIDDEN';
const rowsOf = ({ body }: RecordedAnswer): readonly Json[] => [body?.data ?? []].flat();

/** The public has neither a user nor a role. */
const asksForNobody = ({ as, query }: Step): boolean => as === 'public' && /"_eq":"\$CURRENT_/.test(JSON.stringify(query ?? ''));

/** Whether the recorded answer has left out a path that the request names. */
function hasLeftOut(step: Step, was: RecordedAnswer): boolean {
  const holds = (value: Json, [key = '', ...rest]: readonly string[]): boolean => {
    if (Array.isArray(value)) return value.some((entry) => holds(entry, [key, ...rest]));
    return value !== null && typeof value === 'object' && key in value && (rest.length === 0 || holds(value[key], rest));
  };
  const named = String(step.query?.['fields'] ?? '')
    .split(',')
    .filter((path) => path.includes('.') && !path.includes('*'));
  return named.some((path) => !rowsOf(was).some((row) => holds(row, path.replace(/:\w+/, '').split('.'))));
}

/** Whether the request asks for an order, of its items or of nested ones, in a query, a body or a document. */
const sorts = ({ query, body }: Step): boolean => /"_?sort"|\bsort:/.test(JSON.stringify([query ?? null, body ?? null]));

/** Whether `deep` names a field that none of the recorded items has. */
const namesHidden = ({ query }: Step, was: RecordedAnswer): boolean =>
  Object.keys(query?.['deep'] ?? {}).some((name) => !rowsOf(was).some((row) => name in row));

const namesOauth = (row: Json): boolean =>
  /^directus_oauth_/.test(row.collection ?? '') || /^directus_oauth_/.test(row.related_collection ?? '');

/** The value with every list in one order. */
function inOneOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOneOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, inOneOrder(entry)]));
}

export const reasons: readonly Reason[] = [
  {
    title: 'Counts are numbers, exact types are texts',
    why: 'A bigInteger or decimal does not survive a float; a count does. The same on every vendor.',
    applies: ({ was, is }) => typeof was !== typeof is && isNumeric(was) && isNumeric(is) && Number(was) === Number(is),
  },
  {
    title: 'Trailing zeros of decimals',
    why: 'Values are written in one form on every vendor.',
    applies: ({ was, is }) => /^-?\d+\.\d+$/.test(String(was)) && typeof was === 'string' && isNumeric(is) && Number(was) === Number(is),
  },
  {
    title: 'A uuid that SQLite keeps as text is reported as uuid',
    why: 'The type of a field does not depend on the vendor.',
    applies: ({ path, was, is, step }) => step.resource === 'fields' && path.endsWith('type') && was === 'string' && is === 'uuid',
  },
  {
    title: 'Change or deletion of a missing item is FORBIDDEN',
    why: 'Callers cannot learn which keys exist, and nothing is ignored in silence.',
    applies: ({ step, answered }) => step.missing === true && answered.is.status === 403,
  },
  {
    title: 'Unknown names are refused',
    why: 'Directus drops them; a misspelt filter would match everything.',
    applies: ({ step, answered: { is } }) => step.unknown === true && is.status >= 400 && is.status < 500,
  },
  {
    title: 'A finer code of the same refusal',
    why: 'NOT_NULL_VIOLATION, VALUE_TOO_LONG and the like are used on every vendor.',
    applies: ({ path, answered: { was, is } }) => was.status === 400 && is.status === 400 && path.includes('errors'),
  },
  {
    title: 'A refusal names the field it is about',
    why: 'Its code and parameters are enough to say it in the language of a person; the message is the same.',
    applies: ({ path, was, is, answered }) =>
      was === undefined && typeof is === 'string' && /errors\.\d+\.field$/.test(path) && answered.was.status === answered.is.status,
  },
  {
    title: 'A share opens its own item only',
    why: 'A link for one item must not show others.',
    applies: ({ step, answered: { is } }) => step.safer === true && is.status === 403,
  },
  {
    title: 'A named path into what the caller may not read is FORBIDDEN',
    why: 'Directus leaves the path out, so an answer does not show that something is missing.',
    applies: ({ step, answered }) =>
      step.as !== 'admin' && answered.was.status === 200 && isForbidden(answered) && hasLeftOut(step, answered.was),
  },
  {
    title: 'What a rule hides is neither shown by a relation nor found by a filter',
    why: 'Version 11 lets a caller filter by a field that the rule of the row hides.',
    applies: ({ step, answered: { was, is } }) =>
      step.leak === true &&
      step.as !== 'admin' &&
      was.status === 200 &&
      is.status === 200 &&
      rowsOf(is).every((row) => rowsOf(was).some((other) => other.id === row.id && other.title === row.title)),
  },
  {
    title: 'Rows are counted once where a rule joins many',
    why: 'Version 11 counts a row once per joined match: 25 of 22.',
    applies: ({ path, was, is, step }) =>
      step.counted === true &&
      !['admin', 'public'].includes(step.as) &&
      isNumeric(was) &&
      isNumeric(is) &&
      (path.includes('avg') || Number(was) > Number(is)),
  },
  {
    title: 'Moments of shares bear a zone',
    why: 'They are moments, whatever the zone of the server.',
    applies: ({ was, is, step }) => step.name.includes('share') && `${was}.000Z` === is,
  },
  {
    title: 'Addresses of new users are stored in lower case',
    why: 'Two accounts cannot differ by case only.',
    applies: ({ path, was, is }) => path.endsWith('email') && typeof was === 'string' && was.toLowerCase() === is,
  },
  {
    title: '`%` and `_` are plain characters',
    why: 'A search for 100% does not find everything that begins with 100.',
    applies: ({ is, step }) => is === undefined && /"_i?contains":"[^"]*[%_]/.test(JSON.stringify(step.query ?? '')),
  },
  {
    title: 'A variable without a value matches nothing',
    why: 'Directus compares with null and finds the items of nobody.',
    applies: ({ step, answered: { is } }) => is.status === 200 && rowsOf(is).length === 0 && asksForNobody(step),
  },
  {
    title: 'A refusal instead of a 500',
    why: 'Bad input has a 4xx that says what to fix.',
    applies: ({ answered: { was, is } }) => was.status === 500 && is.status >= 400 && is.status < 500,
  },
  {
    title: 'Order of nulls and of letters',
    why: 'It is that of the database, so that indexes serve it; the recordings were made on SQLite.',
    applies: ({ vendor, step, answered: { was, is } }) =>
      vendor !== 'sqlite' && sorts(step) && JSON.stringify(inOneOrder(was.body)) === JSON.stringify(inOneOrder(is.body)),
  },
  {
    title: 'What a column keeps on another vendor',
    why: 'A uuid of PostgreSQL has no length, and a timestamp of MariaDB, as Directus makes it, no milliseconds; the recordings were made on SQLite.',
    applies: ({ vendor, path, was, is }) =>
      (vendor === 'postgres' && path.endsWith('max_length') && was === 36 && is === null) ||
      (vendor === 'mysql' && /T[\d:]+\.\d{3}Z$/.test(String(was)) && String(was).replace(/\.\d{3}Z$/, '.000Z') === is),
  },
  {
    title: 'Extensions are not loaded',
    why: 'Interfaces and displays stay named in the metadata.',
    applies: ({ step, path, is }) =>
      step.path === '/extensions' && step.as === 'admin' && path.includes('data.0.schema.name') && is === undefined,
  },
  {
    title: 'The primary key of a table is unique',
    why: 'On SQLite Directus says so only for keys with an index of their own.',
    applies: ({ path, was, is, step }) => step.resource === 'fields' && path.endsWith('is_unique') && was === false && is === true,
  },
  {
    title: 'A delta is shown only to callers who may read all it can name',
    why: 'It holds keys and values of related items as they were saved.',
    applies: ({ path, is, step }) => step.path === '/versions' && path.endsWith('.delta') && is === null,
  },
  {
    title: 'A delta holds what was saved',
    why: 'Directus adds `_user` and `_date`, also inside of JSON values, and the dates it would write.',
    applies: ({ path, is, step }) => step.path.startsWith('/versions/') && is === undefined && /(?:_user|_date|_updated)$/.test(path),
  },
  {
    title: 'A permission without a rule makes access full',
    why: 'Version 11 says `partial` if any other policy has a rule, although that takes nothing away.',
    applies: ({ path, was, is, step }) =>
      step.path.startsWith('/permissions/me') && path.endsWith('.access') && was === 'partial' && is === 'full',
  },
  {
    title: 'An entry of `deep` for a field that the caller may not read is FORBIDDEN',
    why: 'Directus ignores it, so a misspelt condition would be ignored, too.',
    applies: ({ step, answered }) =>
      step.as !== 'admin' && answered.was.status === 200 && isForbidden(answered) && namesHidden(step, answered.was),
  },
  {
    title: 'Tables of OAuth clients are no collections',
    why: 'They belong to the bookkeeping of Directus and hold secrets.',
    applies: ({ step, answered: { was, is } }) =>
      ['/collections', '/relations'].includes(step.path) &&
      [
        ...differences(
          rowsOf(was).filter((row) => !namesOauth(row)),
          rowsOf(is),
        ),
      ].length === 0,
  },
  {
    title: 'The public gets pictures of the sizes of presets only',
    why: 'Any size costs processor time; `PUBLIC_TRANSFORMATIONS=all` allows it.',
    applies: ({ step, answered: { is } }) => step.as === 'public' && step.path.startsWith('/assets/') && is.status === 400,
  },
];
