// Where extensions take part in writes: their hooks become hooks of the engine, so that every door and every kind of write meets them.

import type { ObservedKey } from '../../core/engine/work/run-row.js';
import {
  type BeforeEvent,
  everywhere,
  type Hooks,
  type ObservedEvent,
  type WriteAction,
  type WriteEvent,
} from '../../core/engine/write/hooks.js';
import { ServiceError } from '../../core/errors/service-error.js';
import type { Collection, Schema } from '../../core/schema/schema.js';
import type { PendingText } from '../../core/sql/pending-key.js';
import { keyParts, type Parts, partsOf, textOf } from '../automation/events/written-text.js';
import type { ExtensionRun, ExtensionRuns } from '../automation/runs/extension-runs.js';
import { storedValues } from '../history/revisions/stored-values.js';
import type { AfterCommits } from './after-commits.js';
import { type ContextDeps, contextIn, openContext } from './context.js';
import type { CollectionHooks, DurableFacts, Extension, WriteFacts } from './extension.js';
import { ExtensionFault } from './fault.js';
import { runPart } from './run-part.js';
import { changedValues, settledItem, shownValues } from './written-items.js';

export interface MomentDeps extends ContextDeps {
  readonly hooks: Hooks;
  readonly commits: AfterCommits;
  readonly runs: Pick<ExtensionRuns, 'add' | 'follow'>;
  readonly report: (error: unknown) => void;
}

/** Of a function that a request waits for; its transaction holds locks meanwhile. */
const waitingMs = 5_000;
/** Of one that nobody waits for. */
const committedMs = 30_000;
const durableMs = 60_000;

const actions = ['create', 'update', 'delete'] as const;

/** What writes and flows leave behind: nothing tells of it. */
export const silentCollections: ReadonlySet<string> = new Set(['service_activity', 'service_revisions', 'service_runs']);

interface Registered {
  readonly extension: string;
  /** The name under which the extension has its hooks. */
  readonly named: string;
  readonly hooks: CollectionHooks;
}

/** Call before the first write, extensions in the order of their names. */
export function followWrites(deps: MomentDeps, extensions: readonly Extension[], schema: Pick<Schema, 'collections'>): void {
  for (const { name: extension, hooks = {} } of extensions) {
    if (Object.values(hooks).some(({ durable }) => durable !== undefined))
      deps.runs.follow(extension, (asked) => runDurable(deps, hooks, asked));
    for (const [named, own] of Object.entries(hooks)) {
      const collection = schema.collections.get(named)?.codeName ?? named;
      if (silentCollections.has(collection)) continue;
      for (const action of actions) register(deps, { extension, named, hooks: own }, collection, action);
    }
  }
}

function register(deps: MomentDeps, { extension, named, hooks }: Registered, collection: string, action: WriteAction): void {
  const isOpen = ({ collection: { system } }: WriteEvent<unknown>): boolean => collection !== everywhere || !system;
  const { before, after, committed, durable } = hooks;
  if (before !== undefined)
    deps.hooks.before(collection, action, async (event) => (isOpen(event) ? runBefore(deps, extension, before, event) : undefined));
  if (after !== undefined)
    deps.hooks.after(collection, action, async (event) => {
      if (isOpen(event)) await runAfter(deps, extension, after, event);
    });
  if (committed !== undefined)
    deps.hooks.observe(collection, action, async (event) => {
      if (isOpen(event)) event.work.afterCommit(() => startCommitted(deps, extension, committed, event));
    });
  if (durable !== undefined)
    deps.hooks.observe(collection, action, async (event) => {
      if (isOpen(event)) deps.runs.add(extension, event.work, triggersOf(named, event));
    });
}

/** So many items in one call of `durable`. */
const mostItems = 250;

/** The JSON texts of the runs of a step: the events, and the name under which the extension has its hooks. */
function triggersOf(named: string, { collection, action, items }: ObservedEvent): readonly (string | PendingText)[] {
  const head = `{"hook":${JSON.stringify(named)},"action":"${action}","collection":${JSON.stringify(collection.name)},"items":[`;
  const texts = items.flatMap(({ key, values }) => (key === null ? [] : [[...itemText(collection, key, values)]]));
  const parts = Array.from({ length: Math.ceil(texts.length / mostItems) }, (_, index) =>
    texts.slice(index * mostItems, (index + 1) * mostItems),
  );
  return parts.map((some) => textOf([head, ...some.flatMap((text, index) => (index === 0 ? text : [',', ...text])), ']}']));
}

const itemText = (collection: Collection, key: ObservedKey, values: ReadonlyMap<string, unknown>): Parts => [
  '{"key":',
  ...keyParts(key),
  ',"values":',
  ...partsOf(storedValues(collection, values)),
  '}',
];

/** A hook that the extension does not have any more has nothing to do. */
async function runDurable(deps: MomentDeps, hooks: NonNullable<Extension['hooks']>, asked: ExtensionRun): Promise<void> {
  const { extension, run, caller, origin } = asked;
  const { hook, ...facts } = run.trigger as WriteFacts & { readonly hook: string };
  const durable = hooks[hook]?.durable;
  if (durable === undefined) return;
  const event: DurableFacts = { ...facts, id: run.id, attempt: run.attempt + 1 };
  const where = `durable of ${facts.collection}`;
  try {
    await runPart({ extension, where, deadlineMs: durableMs }, (part) => durable(event, openContext(deps, part, caller, { origin })));
  } catch (error) {
    if (!(error instanceof ServiceError)) deps.report(error);
    throw error;
  }
}

const placeOf = (moment: string, { collection }: { readonly collection: Collection }): string => `${moment} of ${collection.name}`;

async function runBefore(
  deps: MomentDeps,
  extension: string,
  before: NonNullable<CollectionHooks['before']>,
  event: BeforeEvent,
): Promise<readonly ReadonlyMap<string, unknown>[] | undefined> {
  const { collection, action, items, work } = event;
  const where = placeOf('before', event);
  const shown = items.map(({ values }) => shownValues(collection, values));
  const made = shown.map((values) => structuredClone(values));
  const facts = factsOf(
    event,
    items.map(({ key }, index) => ({ key, values: made[index] ?? {} })),
  );
  await runPart({ extension, where, deadlineMs: waitingMs }, (part) => before(facts, contextIn(deps, part, work)));
  if (action === 'delete') return undefined;
  const refuse = (what: string): Error => new ExtensionFault(extension, `${what}, in ${where}`);
  return items.map(({ values }, index) => {
    const changed = changedValues(collection, values, { shown: shown[index] ?? {}, made: made[index] ?? {} }, refuse);
    if (changed.size === 0 && values.size > 0 && action === 'update') throw refuse('leaves nothing to write');
    return changed;
  });
}

async function runAfter(
  deps: MomentDeps,
  extension: string,
  after: NonNullable<CollectionHooks['after']>,
  event: WriteEvent,
): Promise<void> {
  const facts = factsOf(
    event,
    event.items.map((item) => settledItem(event.collection, item)),
  );
  const where = placeOf('after', event);
  await runPart({ extension, where, deadlineMs: waitingMs }, (part) => after(facts, contextIn(deps, part, event.work)));
}

function startCommitted(
  deps: MomentDeps,
  extension: string,
  committed: NonNullable<CollectionHooks['committed']>,
  event: ObservedEvent,
): void {
  const facts = factsOf(
    event,
    event.items.map((item) => settledItem(event.collection, item)),
  );
  const where = placeOf('committed', event);
  const { caller } = event.work;
  deps.commits.start(where, () =>
    runPart({ extension, where, deadlineMs: committedMs }, (part) => committed(facts, openContext(deps, part, caller))),
  );
}

const factsOf = ({ action, collection }: WriteEvent<unknown>, items: WriteFacts['items']): WriteFacts => ({
  action,
  collection: collection.name,
  items,
});
