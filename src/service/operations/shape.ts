// The shapes of what operations take and answer, written once: a shape reads and checks an unknown value, and its facts are drawn as JSON
// Schema (service/describe/openapi) and as GraphQL types (doors/graphql/operations).

import { invalidPayload, invalidQuery, type ServiceError } from '../../core/errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../core/util/plain-object.js';
import { readEmail } from '../auth/email.js';
import type { Asset } from '../files/transfer/read-asset.js';
import {
  type CarriedQuery,
  CompiledQuery,
  type ItemKey,
  KeySegment,
  Upload,
  UploadForm,
  UrlQuery,
  uploadFormOf,
  uploadOf,
} from './carried-values.js';

/** What a drawing needs to know. `name` is the name of the GraphQL type; without one the value is drawn as JSON, or as text for choices. */
export type ShapeFacts =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly format: TextFormat | null; readonly maxLength: number }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  /** Words: one text joined by commas, or a list of texts, as the wire has it. */
  | { readonly kind: 'words' }
  | { readonly kind: 'key' }
  | { readonly kind: 'item-key' }
  /** `asText`: GraphQL answers it as text. */
  | { readonly kind: 'json'; readonly asText: boolean }
  /** `members`: what it may hold, for drawings; the operation reads them itself. */
  | { readonly kind: 'document'; readonly members: Members; readonly name: string | null }
  /** `written`: of items that the operation writes. */
  | { readonly kind: 'query'; readonly of: 'item' | 'list' | 'written' }
  | { readonly kind: 'upload' }
  | { readonly kind: 'content' }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly name: string | null }
  | { readonly kind: 'list'; readonly of: Shape<unknown>; readonly lone: boolean }
  | { readonly kind: 'one-or-many'; readonly of: Shape<unknown> }
  | { readonly kind: 'object'; readonly members: Members; readonly name: string | null };

type TextFormat = 'uri' | 'email';

export interface Shape<T> {
  readonly facts: ShapeFacts;
  readonly description: string | null;
  /** The value of an absent member; null: the member is required. */
  readonly absent: { readonly value: T } | null;
  /** Reads a value that is present. Call `readShape` instead, which decides what is. */
  parse(value: unknown, place: Place): T;
}

export type Members = Readonly<Record<string, Shape<unknown>>>;
export type ValueOf<S> = S extends Shape<infer T> ? T : never;
export type ObjectOf<M extends Members> = { readonly [K in keyof M]: ValueOf<M[K]> };

/** The place of a value in the request, for errors. In a URL, texts are converted to the values they spell. */
export interface Place {
  /** Before the name: `Operation 3: `. */
  readonly prefix: string;
  readonly path: string;
  /** A value that a URL's query carries is refused by INVALID_QUERY, any other by INVALID_PAYLOAD. */
  readonly carrier: 'payload' | 'query';
}

export const inPayload = (path: string): Place => ({ prefix: '', path, carrier: 'payload' });
export const inUrl = (path: string): Place => ({ prefix: '', path, carrier: 'query' });

function refuse({ prefix, path, carrier }: Place, rest: string): ServiceError {
  const name = path === '' ? (prefix === '' ? 'The body' : prefix.replace(/: $/, '')) : `${prefix}"${path.slice(0, 100)}"`;
  return (carrier === 'query' ? invalidQuery : invalidPayload)(`${name} ${rest}`);
}

function readShape<T>(shape: Shape<T>, value: unknown, place: Place): T {
  if (!isAbsent(shape, value, place)) return shape.parse(value, place);
  if (shape.absent === null) throw refuse(place, 'is required.');
  return shape.absent.value;
}

function isAbsent({ facts: { kind }, absent }: Shape<unknown>, value: unknown, { carrier }: Place): boolean {
  if (value === undefined) return true;
  if (value === null) return kind !== 'json';
  if (value !== '') return false;
  return kind === 'text' ? absent === null : (kind === 'integer' || kind === 'number') && carrier === 'query';
}

const shape = <T>(facts: ShapeFacts, parse: Shape<T>['parse']): Shape<T> => ({ facts, description: null, absent: null, parse });

/** Drawn beside the member in descriptions of the API. */
export const described = <T>(of: Shape<T>, description: string): Shape<T> => ({ ...of, description });

export const withDefault = <T, D>(of: Shape<T>, value: D): Shape<T | D> => ({ ...of, absent: { value } });
export const optional = <T>(of: Shape<T>): Shape<T | null> => withDefault(of, null);

/** The output of an operation that answers only by having succeeded. */
export const nothing: Shape<void> = shape({ kind: 'nothing' }, () => undefined);

/** No name, address or password is longer; the bound keeps abuse cheap to refuse. */
const longestText = 4096;

export interface TextOptions {
  readonly maxLength?: number;
  readonly format?: TextFormat;
  readonly form?: TextForm;
}

/** Some texts only, in the form they are kept in; `read` returns null for others, which are refused: `has to be ${expected}.` */
export interface TextForm {
  readonly expected: string;
  read(text: string): string | null;
}

export const matching = (pattern: RegExp, expected: string): TextForm => ({ expected, read: (text) => (pattern.test(text) ? text : null) });

export const text = ({ maxLength = longestText, format, form }: TextOptions = {}): Shape<string> =>
  shape({ kind: 'text', format: format ?? null, maxLength }, (value, place) => {
    if (typeof value !== 'string') throw refuse(place, `has to be ${form?.expected ?? 'text'}.`);
    if (value.length > maxLength) throw refuse(place, `is longer than ${maxLength} characters.`);
    const read = form === undefined ? value : form.read(value);
    if (read === null) throw refuse(place, `has to be ${form?.expected}.`);
    return read;
  });

/** The value of a header, as long as one may be. */
export const headerValue: Shape<string> = text({ maxLength: 16_384 });

/** An email address as accounts keep it. */
export const email: Shape<string> = text({ format: 'email', form: { expected: 'an email address', read: readEmail } });

export const integer = (min: number, max: number): Shape<number> =>
  shape({ kind: 'integer', min, max }, (value, place) => {
    const number = place.carrier === 'query' && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max)
      throw refuse(place, `has to be a whole number from ${min} to ${max}.`);
    return number;
  });

/** A number with a fraction. */
export const number = (min = -Number.MAX_VALUE, max = Number.MAX_VALUE): Shape<number> =>
  shape({ kind: 'number', min, max }, (value, place) => {
    const read =
      place.carrier === 'query' && typeof value === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(value) ? Number(value) : value;
    if (typeof read !== 'number' || !Number.isFinite(read) || read < min || read > max) throw refuse(place, numberWanted(min, max));
    return read;
  });

function numberWanted(min: number, max: number): string {
  const [isLow, isHigh] = [min > -Number.MAX_VALUE, max < Number.MAX_VALUE];
  if (isLow && isHigh) return `has to be a number from ${min} to ${max}.`;
  if (isLow) return `has to be a number of at least ${min}.`;
  return isHigh ? `has to be a number of at most ${max}.` : 'has to be a number.';
}

/** In a URL a bare name means true. */
const spelledBooleans: ReadonlyMap<unknown, boolean> = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Answered only. */
export const words: Shape<string | readonly string[]> = shape({ kind: 'words' }, () => {
  throw new Error('words are answered, not read');
});

export const boolean: Shape<boolean> = shape({ kind: 'boolean' }, (value, place) => {
  const read = place.carrier === 'query' ? spelledBooleans.get(value) : value;
  if (typeof read !== 'boolean') throw refuse(place, 'has to be true or false.');
  return read;
});

/** The key of one row: a text or a number. */
export const key: Shape<string | number> = shape({ kind: 'key' }, (value, place) => {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return value;
  throw refuse(place, 'has to be a key.');
});

/** The key of an item of any collection; a composite key as a list of its parts or encoded as in a path. */
export const itemKey: Shape<ItemKey> = shape({ kind: 'item-key' }, (value, place) =>
  value instanceof KeySegment || Array.isArray(value) ? value : key.parse(value, place),
);

/** Any JSON value, null included. */
export const json: Shape<unknown> = shape({ kind: 'json', asText: false }, (value) => value);

/** The same, answered by GraphQL as text. */
export const jsonText: Shape<unknown> = shape({ kind: 'json', asText: true }, (value) => value);

export interface DocumentOptions {
  readonly expected?: string;
  readonly name?: string;
  readonly members?: Members;
}

/** An object whose members the operation reads itself. */
export const document = ({ expected = 'an object', name, members = {} }: DocumentOptions = {}): Shape<PlainObject> =>
  shape({ kind: 'document', members, name: name ?? null }, (value, place) => {
    if (!isPlainObject(value)) throw refuse(place, `has to be ${expected}.`);
    return value;
  });

/** An object that the service makes: its members are for drawings. */
export const answer = <T>(members: Members, name: string | null): Shape<T> =>
  shape({ kind: 'object', members, name }, () => {
    throw new Error('an answer is not read');
  });

/** What to answer of items: the query of a URL, a selection of GraphQL, or the same as an object. `parseQuery` reads all three. */
export const query = (of: 'item' | 'list' | 'written'): Shape<CarriedQuery> =>
  shape({ kind: 'query', of }, (value, place) => {
    if (value instanceof UrlQuery || value instanceof CompiledQuery) return value;
    if (!isPlainObject(value)) throw refuse(place, 'has to be an object.');
    return value;
  });

/** A file whose bytes are read by the operation, after everything else has been checked. */
export const upload: Shape<Upload> = shape({ kind: 'upload' }, (value, place) => {
  const file = value instanceof Upload ? value : uploadOf(value);
  if (file === null) throw refuse(place, 'has to be a file.');
  return file;
});

/** Files with texts that describe them, read by the operation in the same way. */
export const uploads: Shape<UploadForm> = shape({ kind: 'upload' }, (value, place) => {
  const form = value instanceof UploadForm ? value : uploadFormOf(value);
  if (form === null) throw refuse(place, 'has to be a file, or a list of files.');
  return form;
});

/** The output of an operation that answers bytes. HTTP sends them, an embedding application reads them; GraphQL has no values for them. */
export const content: Shape<Asset> = shape({ kind: 'content' }, () => {
  throw new Error('an answer is not read');
});

export const choice = <const C extends string>(choices: readonly C[], name: string | null = null): Shape<C> =>
  shape({ kind: 'choice', choices, name }, (value, place) => {
    const found = choices.find((candidate) => candidate === value);
    if (found === undefined) throw refuse(place, `has to be one of ${choices.join(', ')}.`);
    return found;
  });

export interface ListOptions {
  readonly min?: number;
  readonly max?: number;
  /** Accepts a single entry without a list around it. GraphQL declares it that way only, so that the type of variables stays the same. */
  readonly lone?: boolean;
  /** What an entry is called in errors: `Operation 3: "path" …` instead of `"operations[3].path" …`. */
  readonly entry?: string;
  readonly expected?: string;
}

export const list = <T>(of: Shape<T>, { min = 0, max, lone = false, entry, expected = 'a list' }: ListOptions = {}): Shape<readonly T[]> =>
  shape({ kind: 'list', of, lone }, (value, place) => {
    if (lone && !Array.isArray(value)) return [readShape(of, value, place)];
    if (!Array.isArray(value)) throw refuse(place, `has to be ${expected}.`);
    if (value.length < min) throw refuse(place, `holds fewer than ${min} entries.`);
    if (max !== undefined && value.length > max) throw refuse(place, `holds more than ${max} entries.`);
    return value.map((member: unknown, index) => readShape(of, member, entryPlace(place, index, entry)));
  });

const entryPlace = ({ prefix, path, carrier }: Place, index: number, entry: string | undefined): Place =>
  entry === undefined ? { prefix, path: `${path}[${index}]`, carrier } : { prefix: `${entry} ${index}: `, path: '', carrier };

/** One value or a list of such values. GraphQL takes and answers one. */
export const oneOrMany = <T>(of: Shape<T>): Shape<T | readonly T[]> => {
  const many = list(of);
  return shape({ kind: 'one-or-many', of }, (value, place) => (Array.isArray(value) ? many : of).parse(value, place));
};

export interface ObjectOptions {
  readonly name?: string;
  /** Refuse members it does not have; else they are left out. */
  readonly strict?: boolean;
}

export const object = <M extends Members>(members: M, { name, strict = false }: ObjectOptions = {}): Shape<ObjectOf<M>> =>
  shape({ kind: 'object', members, name: name ?? null }, (value, place) => {
    if (!isPlainObject(value)) throw refuse(place, 'has to be an object.');
    const stray = strict ? Object.keys(value).find((member) => !Object.hasOwn(members, member)) : undefined;
    if (stray !== undefined) throw refuse(memberPlace(place, stray), 'means nothing here.');
    return readMembers(members, value, (member) => memberPlace(place, member));
  });

const memberPlace = ({ prefix, path, carrier }: Place, member: string): Place => ({
  prefix,
  path: path === '' ? member : `${path}.${member}`,
  carrier,
});

export function readMembers<M extends Members>(members: M, values: PlainObject, placeOf: (member: string) => Place): ObjectOf<M> {
  const read: Record<string, unknown> = {};
  for (const [member, of] of Object.entries(members)) read[member] = readShape(of, values[member], placeOf(member));
  return read as ObjectOf<M>;
}
