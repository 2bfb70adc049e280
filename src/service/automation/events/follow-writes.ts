// Flows that follow a write: their runs are stored in its transaction, so that neither is there without the other, and are carried out when it is
// committed. A collection that no flow follows costs nothing.

import type { ObservedKey } from '../../../core/engine/work/run-row.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import type { ObservedEvent, WriteAction } from '../../../core/engine/write/hooks.js';
import { PendingKey, type PendingText } from '../../../core/sql/pending-key.js';
import { storedValues } from '../../history/revisions/stored-values.js';
import type { Flow } from '../model/flow.js';
import { deepest, depthOf } from '../rights/scope.js';
import type { NewRun, RunQueue } from '../runs/run-queue.js';
import { eventName } from './listeners.js';
import { keyParts, listOf, type Parts, partsOf, textOf } from './written-text.js';

export interface FollowDeps {
  readonly queue: Pick<RunQueue, 'enqueue' | 'wakeAfter'>;
  readonly findFlows: (collection: string, action: WriteAction) => readonly Flow[];
}

/** What happened to some items at once. */
interface WriteFact {
  readonly trigger: Parts;
  /** Keys that are known; those of new items may not be. */
  readonly keys: readonly ObservedKey[];
}

export async function followWrite({ queue, findFlows }: FollowDeps, event: ObservedEvent): Promise<void> {
  const { work, collection, action, items } = event;
  if (work.origin?.isSilent === true || work.origin?.isRehearsal === true || items.length === 0) return;
  const name = collection.codeName ?? collection.name;
  const flows = findFlows(name, action);
  if (flows.length === 0) return;
  const { user, ip, accessKey } = work.caller.accountability;
  const starter = { user, ip, accessKey: accessKey?.id ?? null };
  const runs = factsOf(event).flatMap((fact) =>
    flows.map(
      (flow): NewRun => ({
        flow: flow.id,
        extension: null,
        trigger: textOf(fact.trigger),
        ...starter,
        ...leadTo(flow, name, fact.keys, work.origin ?? null),
      }),
    ),
  );
  queue.enqueue(work.connection, runs);
  queue.wakeAfter(work);
}

/** New items one by one; updates with the same values, and deletions, together. */
function factsOf({ collection, action, items }: ObservedEvent): readonly WriteFact[] {
  const head = `{"event":${JSON.stringify(eventName(collection, action))},"collection":${JSON.stringify(collection.name)}`;
  const keyed = items.flatMap(({ key, values }) => (key === null ? [] : [{ key, values }]));
  if (action === 'delete') {
    const keys = keyed.map(({ key }) => key);
    return [{ keys, trigger: [`${head},"payload":[`, ...listOf(keys), '],"keys":[', ...listOf(keys), ']}'] }];
  }
  if (action === 'create')
    return keyed.map(({ key, values }) => ({
      keys: [key],
      trigger: [`${head},"payload":`, ...partsOf(storedValues(collection, values)), ',"key":', ...keyParts(key), '}'],
    }));
  const groups = new Map<string | PendingText, ObservedKey[]>();
  for (const { key, values } of keyed) {
    const document = storedValues(collection, values);
    const keys = groups.get(document);
    if (keys === undefined) groups.set(document, [key]);
    else keys.push(key);
  }
  return [...groups].map(([document, keys]) => ({
    keys,
    trigger: [`${head},"payload":`, ...partsOf(document), ',"keys":[', ...listOf(keys), ']}'],
  }));
}

/** Of a write of more items only so many are remembered: the depth ends what they would have told. */
const maxMarks = 100;

/** What the run leads on; a flow that comes to the same item again, or too deep, is a loop. */
function leadTo(
  { id }: Flow,
  collection: string,
  keys: readonly ObservedKey[],
  origin: WriteOrigin | null,
): { readonly origin: WriteOrigin; readonly isLoop: boolean } {
  const depth = depthOf({ origin }) + 1;
  const trail = origin?.trail ?? [];
  const known = keys.slice(0, maxMarks).filter((key) => ![key].flat().some((part) => part instanceof PendingKey));
  const marks = known.map((key) => `${id} ${collection} ${String(key)}`);
  const isLoop = depth > deepest || marks.some((mark) => trail.includes(mark));
  return { origin: { depth, trail: [...trail, ...marks], isSilent: false }, isLoop };
}
