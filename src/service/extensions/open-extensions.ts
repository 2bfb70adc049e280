// Puts the extensions of a service to work: their hooks see its writes, their endpoints are operations of it.

import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import type { Hooks } from '../../core/engine/write/hooks.js';
import type { ExtensionRuns } from '../automation/runs/extension-runs.js';
import type { LoadedExtension } from '../operations/operation-deps.js';
import { AfterCommits } from './after-commits.js';
import type { ContextDeps } from './context.js';
import { type OfferedEndpoint, offerEndpoints } from './endpoints.js';
import type { Extension } from './extension.js';
import type { FoundExtension } from './load-extensions.js';
import { followWrites, silentCollections } from './moments.js';

export interface ExtensionsDeps extends ContextDeps {
  readonly hooks: Hooks;
  readonly store: SchemaStore;
  readonly runs: ExtensionRuns;
  readonly report: (error: unknown) => void;
}

export interface Extensions {
  readonly endpoints: readonly OfferedEndpoint[];
  readonly loaded: readonly LoadedExtension[];
  /** Resolves when what is under way has ended. */
  close(): Promise<void>;
}

/** Call before the first write. */
export function openExtensions(deps: ExtensionsDeps, found: readonly FoundExtension[]): Extensions {
  const { store, logOf } = deps;
  const schema = store.current();
  const commits = new AfterCommits(deps.report);
  const extensions = found.map(({ extension }) => extension);
  for (const extension of extensions) warnOfTargets(extension, schema.collections, logOf(extension.name).warn);
  followWrites({ ...deps, commits }, extensions, schema);
  const offered = extensions.map((extension) => offerEndpoints(deps, extension));
  return {
    endpoints: offered.flat(),
    loaded: found.map(({ extension, source }, index) => describe(extension, source, offered[index] ?? [])),
    close: () => commits.close(),
  };
}

/** A table may still be made; until then its hooks wait for nothing, which has to be said. */
function warnOfTargets(
  { hooks = {} }: Extension,
  collections: ReadonlyMap<string, { readonly codeName: string | null }>,
  warn: (text: string) => void,
): void {
  for (const name of Object.keys(hooks).filter((key) => key !== '*')) {
    const collection = collections.get(name);
    if (collection === undefined) warn(`hooks["${name}"] waits for a collection that does not exist`);
    else if (silentCollections.has(collection.codeName ?? ''))
      warn(`hooks["${name}"] is never called: nothing tells of what is recorded there`);
  }
}

function describe({ name, version, hooks = {} }: Extension, source: string, endpoints: readonly OfferedEndpoint[]): LoadedExtension {
  return {
    name,
    version: version ?? null,
    source,
    hooks: Object.fromEntries(Object.entries(hooks).map(([collection, moments]) => [collection, Object.keys(moments)])),
    endpoints: endpoints.map(({ method, path, operation, rehearsal }) => ({
      method,
      path,
      operation: operation.id,
      dryRun: rehearsal !== null,
    })),
  };
}
