// One operation by each way in, made from the doors' tables: REST, GraphQL, and a call of the embedding application.

import { randomBytes } from 'node:crypto';
import { coerceInputValue } from 'graphql';
import { isPlainObject } from '../../src/core/util/plain-object.js';
import { drawArguments } from '../../src/doors/graphql/operations/draw-shapes.js';
import { graphqlTable } from '../../src/doors/graphql/operations/graphql-table.js';
import { membersOf, type OperationField } from '../../src/doors/graphql/operations/operation-field.js';
import { restTable } from '../../src/doors/rest/operations/rest-table.js';
import { answerOf, placeMembers } from '../../src/service/describe/openapi/operation-route.js';
import type { Asset } from '../../src/service/files/transfer/read-asset.js';
import type { Operation } from '../../src/service/operations/operation.js';
import type { Shape } from '../../src/service/operations/shape.js';
import type { NamedCaller } from '../../src/tain.js';
import type { Answer, Api } from './api.js';
import type { TestService } from './start-service.js';

export type Values = Readonly<Record<string, unknown>>;

/** What came of it: the value, null where there is none, or the code of the error. */
export type Result = { readonly value: unknown } | { readonly code: string };

/** A file as a test gives it; each door gets it in its own form. */
export class TestFile {
  readonly filename: string;
  readonly type: string;
  readonly text: string;

  constructor(filename: string, type: string, text: string) {
    this.filename = filename;
    this.type = type;
    this.text = text;
  }
}

export async function byCall(service: TestService, { id, output }: Operation, input: Values, caller: NamedCaller): Promise<Result> {
  const values = Object.entries(input).map(([name, value]) => [name, value instanceof TestFile ? asStream(value) : value]);
  return service.call(id, Object.fromEntries(values), caller, { ip: otherAddress() }).then(
    async (value) => ({ value: output.facts.kind === 'content' ? await contentOf(value as Asset) : value }),
    (error: unknown) => ({ code: (error as { readonly code: string }).code }),
  );
}

/** A content as a test compares it. */
async function contentOf({ type, size, etag, read }: Asset): Promise<Values> {
  const bytes: Uint8Array[] = [];
  for await (const chunk of await read()) bytes.push(chunk as Uint8Array);
  return { type, size, etag, text: Buffer.concat(bytes).toString() };
}

const answeredContent = ({ headers, text }: Answer): Values => ({
  type: headers.get('content-type'),
  size: Number(headers.get('content-length')),
  etag: headers.get('etag'),
  text,
});

/** Another one for each request: limits go by address. The service has to trust its proxies. */
const otherAddress = (): string => `10.${randomBytes(3).join('.')}`;
const fromElsewhere = () => ({ headers: { 'x-forwarded-for': otherAddress() } });

const asStream = ({ filename, type, text }: TestFile): unknown => ({ filename, type, bytes: new Blob([text]).stream() });

/** The row that has the operation; for one that the header `Prefer: dry-run` asks for, the row of the change that the input names. */
export function routeOf(operation: Operation, input: Values) {
  const route =
    restTable.find((entry) => entry.operation === operation && entry.described === undefined) ??
    restTable.find(({ dryRun }) => dryRun?.operation === operation && dryRun.fixed['change'] === input['change']) ??
    // Described with the items.
    restTable.find((entry) => entry.operation === operation);
  if (route === undefined) throw new Error(`REST does not offer ${operation.id}`);
  return route;
}

export async function byRest(api: Api, operation: Operation, input: Values): Promise<Result> {
  const route = routeOf(operation, input);
  const isDry = route.operation !== operation;
  const headers: Record<string, string> = { ...fromElsewhere().headers, ...(isDry ? { prefer: 'dry-run' } : {}) };
  let { path } = route;
  const parameters = new URLSearchParams();
  const members: Record<string, unknown> = {};
  let body: unknown;
  for (const { member, name, in: part, shape } of placeMembers(route)) {
    const value = input[member];
    if (value === undefined || (part === 'header' && value === null)) continue;
    if (part === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (part === 'header') headers[name] = String(value);
    else if (part === 'whole-body') body = value;
    else if (part === 'body') members[name] = value;
    else if (shape.facts.kind === 'query' || shape.facts.kind === 'document')
      for (const [key, text] of Object.entries(value as Values)) parameters.set(key, String(text));
    else parameters.set(name, String(value));
  }
  const takesFile = Object.values(operation.input).some(({ facts }) => facts.kind === 'upload');
  const file = Object.values(members).find((value) => value instanceof TestFile);
  const content = takesFile ? { raw: asForm(file) } : { body: route.body === undefined ? members : body };
  const url = parameters.size === 0 ? path : `${path}?${parameters}`;
  const answer = await api.request(route.method, url, { ...(route.method === 'GET' ? {} : content), headers });
  if (answer.body?.errors !== undefined) return { code: answer.body.errors[0].extensions.code };
  if (answerOf(route).kind === 'bytes') return { value: answeredContent(answer) };
  return { value: isDry || answerOf(route).kind === 'data' ? (answer.body?.data ?? null) : answer.body };
}

function asForm(file: TestFile | undefined): FormData {
  const form = new FormData();
  form.append('title', 'no file yet');
  if (file !== undefined) form.append('file', new Blob([file.text], { type: file.type }), file.filename);
  return form;
}

export const fieldOf = (operation: Operation) => graphqlTable.find((row) => row.operation === operation);

export async function byGraphql(api: Api, operation: Operation, input: Values, selection = ''): Promise<Result> {
  const row = fieldOf(operation);
  if (row === undefined) throw new Error(`GraphQL does not offer ${operation.id}`);
  const types = Object.entries(drawArguments(membersOf(row))).filter(([name]) => name in input);
  const typeOf = (name: string, type: unknown): string =>
    name === 'data' && row.updates !== undefined ? `update_${row.updates}_input!` : String(type);
  const [declared, passed] = [
    types.map(([name, { type }]) => `$${name}: ${typeOf(name, type)}`),
    types.map(([name]) => `${name}: $${name}`),
  ].map((parts) => (parts.length === 0 ? '' : `(${parts.join(', ')})`));
  const document = `${row.kind}${declared} { ${row.field}${passed} ${selection} }`;
  const variables = Object.fromEntries(types.map(([name]) => [name, input[name]]));
  const { body } = await api.request('POST', '/graphql/system', { body: { query: document, variables }, ...fromElsewhere() });
  if (body.errors !== undefined) return { code: body.errors[0].extensions.code };
  const value: unknown = body.data[row.field];
  return { value: operation.output.facts.kind === 'nothing' ? null : value };
}

/** Whether the types of GraphQL refuse the argument themselves, before the operation sees it. */
export function isRefusedByTypes(row: OperationField, input: Values): boolean {
  let refused = row.updates !== undefined && !isPlainObject(input['data']);
  for (const [name, { type }] of Object.entries(drawArguments(membersOf(row))))
    coerceInputValue(input[name] ?? null, type, () => {
      refused = true;
    });
  return refused;
}

/** Everything an output has, where GraphQL draws it as an object. */
export function selectionOf({ facts }: Shape<unknown>): string {
  if (facts.kind === 'list' || facts.kind === 'one-or-many') return selectionOf(facts.of);
  if (facts.kind !== 'object' || facts.name === null) return '';
  return `{ ${Object.entries(facts.members)
    .map(([name, shape]) => `${name} ${selectionOf(shape)}`)
    .join(' ')} }`;
}
