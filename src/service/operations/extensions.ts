// The extensions that are loaded, with what they take part in. There is no marketplace to install them from; tools that move whole projects ask
// for both, so they are answered in the form that they know.

import { invalidPayload } from '../../core/errors/service-error.js';
import { type Operation, operation } from './operation.js';
import type { LoadedExtension } from './operation-deps.js';
import { answer, document, integer, json, list, nothing, object } from './shape.js';

const tag = 'server';

export const listExtensions = operation({
  id: 'listExtensions',
  tag,
  summary: 'The extensions that are loaded, and what each takes part in',
  input: {},
  output: list(json),
  open: ['administrators'],
  once: 'never',
  run: ({ deps }) => deps.extensions.map(inKnownForm),
});

/** With the members that clients of the protocol look for. */
function inKnownForm({ name, version, source, hooks, endpoints }: LoadedExtension): Readonly<Record<string, unknown>> {
  const type = endpoints.length === 0 ? 'hook' : Object.keys(hooks).length === 0 ? 'endpoint' : 'bundle';
  return { name, bundle: null, schema: { name, type, version, local: true }, meta: { enabled: true }, source, hooks, endpoints };
}

const found = answer<{ readonly data: readonly unknown[]; readonly meta: { readonly filter_count: number } }>(
  { data: list(json), meta: object({ filter_count: integer(0, 0) }, { name: 'extensions_registry_meta' }) },
  'extensions_registry',
);

export const readRegistry = operation({
  id: 'readRegistry',
  tag,
  summary: 'What the marketplace offers: nothing, since there is none',
  input: {},
  output: found,
  open: ['administrators'],
  once: 'never',
  run: () => ({ data: [], meta: { filter_count: 0 } }),
});

export const installExtension = operation({
  id: 'installExtension',
  tag,
  summary: 'Refused: there is no marketplace to install an extension from',
  input: { data: document() },
  output: nothing,
  open: ['administrators'],
  once: 'never',
  run: () => {
    // Not a 404 or 503, which tools repeat.
    throw invalidPayload(
      'There is no marketplace here: no extension can be installed. Interfaces and displays of others stay named in the metadata.',
    );
  },
});

export const extensionOperations: readonly Operation[] = [listExtensions, readRegistry, installExtension];
