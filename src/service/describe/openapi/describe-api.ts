// The API as this caller may use it, as an OpenAPI 3.1 document drawn from the caller's view of the schema: what is not in the view is
// not in the document.

import { findCollection, type SchemaView } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';
import { systemPrefix } from '../../../core/schema/system-definition.js';
import type { RuleCaller } from '../../operations/open-rule.js';
import { resources } from '../../system/resources.js';
import { pascalCase, uniqueNames } from '../unique-names.js';
import { readSchema } from './collection-schemas.js';
import type { Drawing } from './field-schema.js';
import { drawFixedPaths } from './fixed-paths.js';
import { type CollectionPath, drawItemPaths } from './item-paths.js';
import { type Json, ref } from './json.js';
import type { OperationRoute } from './operation-route.js';
import { parameters } from './parameters.js';
import { operationsOf, type PathItem } from './path-item.js';

export interface ApiFacts {
  readonly title: string;
  readonly url: string;
  /** The operations, at the addresses REST gives them. */
  readonly routes: readonly OperationRoute[];
}

export function describeApi(caller: RuleCaller, { title, url, routes }: ApiFacts): Json {
  const { view } = caller;
  const names = nameSchemas(view.schema.collections.values());
  const readable = [...names].filter(([name]) => findCollection(view, name, 'read') !== null);
  const drawing: Drawing = { view, readable: new Map(readable) };
  const drawn = collectionPaths(view, names).map((at) => drawItemPaths(drawing, at));
  const paths = Object.assign({}, drawFixedPaths(caller, routes), ...drawn.map((part) => part.paths)) as Json;
  const schemas = Object.assign({ Error: errorSchema }, readSchemas(drawing), ...drawn.map((part) => part.schemas)) as Json;
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description: `The data of ${title}, as you may use it.` },
    servers: [{ url }],
    security: [{ bearer: [] }, { token: [] }, { session: [] }, {}],
    tags: tagsOf(paths),
    paths,
    components: { schemas: usedSchemas(paths, schemas), parameters: usedParameters(paths), responses, securitySchemes },
  };
}

function collectionPaths({ schema }: SchemaView, names: ReadonlyMap<string, string>): readonly CollectionPath[] {
  const at = (collection: Collection, path: string, readOnly: boolean): CollectionPath => ({
    collection,
    path,
    readOnly: readOnly || collection.readOnly,
    schemaName: names.get(collection.name) ?? collection.name,
  });
  const own = [...schema.collections.values()]
    .filter(({ system, table }) => !system && table !== null)
    .map((collection) => at(collection, `/items/${encodeURIComponent(collection.name)}`, false));
  const system = resources.flatMap(({ path, collection, readOnly }) => {
    const found = schema.collections.get(collection);
    return found === undefined ? [] : [at(found, `/${path}`, readOnly)];
  });
  return [...own, ...system];
}

/** The schemas of all readable collections, since relations may lead to any of them. */
function readSchemas(drawing: Drawing): Json {
  const entries = [...drawing.readable].flatMap(([name, schemaName]) => {
    const collection = drawing.view.schema.collections.get(name);
    return collection === undefined ? [] : [[schemaName, readSchema(drawing, collection)] as const];
  });
  return Object.fromEntries(entries);
}

function tagsOf(paths: Json): readonly Json[] {
  const names = new Set<string>();
  for (const path of Object.values(paths)) {
    for (const { tags } of operationsOf(path as PathItem)) for (const tag of tags as readonly string[]) names.add(tag);
  }
  return [...names].map((name) => ({ name, description: `Operations of ${name}.` }));
}

/** The schemas that the paths refer to, directly or through other schemas. */
function usedSchemas(paths: Json, all: Json): Json {
  const used = new Set<string>(['Error']);
  const left: unknown[] = [paths];
  while (left.length > 0) {
    for (const [, name = ''] of JSON.stringify(left.pop()).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      left.push(all[name]);
    }
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function usedParameters(paths: Json): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => text.includes(`"#/components/parameters/${name}"`)));
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          message: { type: 'string' },
          extensions: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
        },
        required: ['message', 'extensions'],
      },
    },
  },
  required: ['errors'],
};

const failure = (description: string): Json => ({ description, content: { 'application/json': { schema: ref('schemas', 'Error') } } });

const responses: Json = {
  BadRequest: failure('Something in the request has to be put right; the message says what.'),
  Unauthorized: failure('The token or the password is wrong, or its time is over.'),
  Forbidden: failure('Not allowed, or missing: the answer does not say which.'),
};

const securitySchemes: Json = {
  bearer: { type: 'http', scheme: 'bearer' },
  token: { type: 'apiKey', in: 'query', name: 'access_token' },
  session: { type: 'apiKey', in: 'cookie', name: 'service_session_token' },
};

/** `ItemsBookReviews` for the collection book_reviews, `Users` for the users. */
const nameSchemas = (collections: Iterable<Collection>): ReadonlyMap<string, string> =>
  uniqueNames(collections, ({ name, codeName }) =>
    codeName !== null ? plain(pascalCase(codeName.slice(systemPrefix.length))) : `Items${plain(pascalCase(name))}`,
  );

/** A component may be named by letters, digits and a few signs only; other characters become their code point. */
const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/gu, (letter) => `-${letter.codePointAt(0)?.toString(16)}`);
