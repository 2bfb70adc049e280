// A flow as the editor has it: its facts and its steps, changed as a whole and stored in one request. Pure, imports no framework.

import { isEqual } from '../draft/draft.js';
import type { Item } from '../draft/item.js';

export type Options = Readonly<Record<string, unknown>>;

export interface Step {
  readonly id: string;
  readonly key: string;
  readonly name: string | null;
  readonly type: string;
  readonly options: Options | null;
  /** The steps behind it, on success and on failure. */
  readonly resolve: string | null;
  readonly reject: string | null;
}

export type Way = 'resolve' | 'reject';

export interface FlowFacts {
  readonly name: string;
  readonly icon: string | null;
  readonly color: string | null;
  readonly description: string | null;
  readonly status: string;
  readonly trigger: string | null;
  readonly accountability: string | null;
  readonly options: Options | null;
}

export interface Flow extends FlowFacts {
  readonly id: string;
  /** The first step. */
  readonly operation: string | null;
  readonly operations: readonly Step[];
}

/** Steps one after the other, and how they end: with another step that is shown elsewhere, or at all. */
export interface Line {
  readonly steps: readonly { readonly step: Step; readonly failure: Line | null }[];
  readonly goesOn: Step | null;
}

type Graph = Pick<Flow, 'operation' | 'operations'>;

/** What runs on success first, so that ways that meet do so on the main one. */
export function outlineOf({ operation, operations }: Graph): { readonly line: Line; readonly loose: readonly Step[] } {
  const byId = new Map(operations.map((step) => [step.id, step]));
  const seen = new Set<string>();
  const walk = (first: string | null): Line => {
    const found: Step[] = [];
    let next = byId.get(first ?? '');
    for (; next !== undefined && !seen.has(next.id); next = byId.get(next.resolve ?? '')) {
      seen.add(next.id);
      found.push(next);
    }
    const steps = found.map((step) => ({ step, failure: byId.has(step.reject ?? '') ? walk(step.reject) : null }));
    return { steps, goesOn: next ?? null };
  };
  const line = walk(operation);
  return { line, loose: operations.filter(({ id }) => !seen.has(id)) };
}

/** Where a step is put: behind another on one of its ways, or at the start. */
export type Place = { readonly after: string; readonly way: Way } | null;

/** The steps after it follow the new one. */
export function insertStep<G extends Graph>(flow: G, place: Place, added: Omit<Step, 'resolve' | 'reject'>): G {
  const before = place === null ? undefined : flow.operations.find(({ id }) => id === place.after);
  const follows = place === null ? flow.operation : (before?.[place.way] ?? null);
  const step: Step = { ...added, resolve: follows, reject: null };
  const operations = flow.operations.map((each) => (place !== null && each.id === place.after ? { ...each, [place.way]: step.id } : each));
  return { ...flow, operation: place === null ? step.id : flow.operation, operations: [...operations, step] };
}

/** What led to it leads to the step behind it. */
export function removeStep<G extends Graph>(flow: G, id: string): G {
  const removed = flow.operations.find((step) => step.id === id);
  return {
    ...redirected(flow, id, removed?.resolve ?? null),
    operations: redirected(flow, id, removed?.resolve ?? null).operations.filter((step) => step.id !== id),
  };
}

function redirected<G extends Graph>(flow: G, from: string, to: string | null): G {
  const lead = (target: string | null): string | null => (target === from ? to : target);
  const operations = flow.operations.map((step) => {
    const [resolve, reject] = [lead(step.resolve), lead(step.reject)];
    return resolve === step.resolve && reject === step.reject ? step : { ...step, resolve, reject };
  });
  return { ...flow, operation: lead(flow.operation), operations };
}

/** Two steps of which the second follows the first change their places. */
export function swapSteps<G extends Graph>(flow: G, first: string, second: string): G {
  const last = flow.operations.find(({ id }) => id === second)?.resolve ?? null;
  const led = redirected(flow, first, second);
  const operations = led.operations.map((step) =>
    step.id === second ? { ...step, resolve: first } : step.id === first ? { ...step, resolve: last } : step,
  );
  return { ...led, operations };
}

/** Steps that may follow this one: not itself, and none that leads to it. */
export function possibleNext({ operations }: Graph, id: string): readonly Step[] {
  const leading = new Set([id]);
  for (let size = 0; size < leading.size; ) {
    size = leading.size;
    for (const step of operations) if (leading.has(step.resolve ?? '') || leading.has(step.reject ?? '')) leading.add(step.id);
  }
  return operations.filter((step) => !leading.has(step.id));
}

/** Those whose results a step finds when it runs: all that lead to it. */
export function stepsBefore({ operations }: Graph, id: string): readonly Step[] {
  const possible = new Set(possibleNext({ operation: null, operations }, id).map((step) => step.id));
  return operations.filter((step) => step.id !== id && !possible.has(step.id));
}

export function newKey(type: string, steps: readonly Step[]): string {
  const name = type.replaceAll('-', '_');
  const taken = new Set(steps.map(({ key }) => key));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}

const facts = ['name', 'icon', 'color', 'description', 'status', 'trigger', 'accountability', 'options', 'operation'] as const;
const ofStep = ['key', 'name', 'type', 'options', 'resolve', 'reject'] as const;

/** What a request has to say so that `after` is stored. Keys come along, so that a refusal can name the step. */
export function changesOf(before: Flow, after: Flow): Item {
  const changed = facts.filter((fact) => !isEqual(before[fact], after[fact])).map((fact) => [fact, after[fact]]);
  const known = new Map(before.operations.map((step) => [step.id, step]));
  const places = placesOf(after);
  const update = after.operations.flatMap((step) => {
    const old = known.get(step.id);
    const members = old === undefined ? [] : ofStep.filter((name) => !isEqual(old[name], step[name]));
    return members.length === 0 ? [] : [{ id: step.id, key: step.key, ...Object.fromEntries(members.map((name) => [name, step[name]])) }];
  });
  const create = followersFirst(after.operations.filter(({ id }) => !known.has(id))).map((step) => ({ ...step, ...places.get(step.id) }));
  const kept = new Set(after.operations.map(({ id }) => id));
  const remove = before.operations.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const isSame = create.length + update.length + remove.length === 0;
  return { ...Object.fromEntries(changed), ...(isSame ? {} : { operations: { create, update, delete: remove } }) };
}

/** A step is stored after those that it names. */
function followersFirst(steps: readonly Step[]): readonly Step[] {
  const own = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<Step>();
  const add = (step: Step | undefined, above: ReadonlySet<Step>): void => {
    if (step === undefined || ordered.has(step) || above.has(step)) return;
    const below = new Set([...above, step]);
    add(own.get(step.resolve ?? ''), below);
    add(own.get(step.reject ?? ''), below);
    ordered.add(step);
  };
  for (const step of steps) add(step, new Set());
  return [...ordered];
}

/** Applications that draw flows on a plane find new steps side by side, those for failures below. */
function placesOf(flow: Graph): ReadonlyMap<string, { readonly position_x: number; readonly position_y: number }> {
  const places = new Map<string, { readonly position_x: number; readonly position_y: number }>();
  const { line, loose } = outlineOf(flow);
  const put = ({ steps }: Line, column: number, row: number): number => {
    let below = row;
    steps.forEach(({ step, failure }, index) => {
      places.set(step.id, { position_x: 19 + (column + index) * 18, position_y: 1 + row * 18 });
      if (failure !== null) below = put(failure, column + index + 1, below + 1);
    });
    return below;
  };
  const last = put(line, 0, 0);
  loose.forEach((step, index) => {
    places.set(step.id, { position_x: 19 + index * 18, position_y: 1 + (last + 1) * 18 });
  });
  return places;
}

/** As a new flow: with keys of its own, switched off. */
export function copyOf(flow: Flow, name: string, makeId: () => string): Item {
  const ids = new Map(flow.operations.map(({ id }) => [id, makeId()]));
  const idOf = (id: string | null): string | null => ids.get(id ?? '') ?? null;
  const steps = flow.operations.map((step) => ({
    ...step,
    id: ids.get(step.id) ?? step.id,
    resolve: idOf(step.resolve),
    reject: idOf(step.reject),
  }));
  const places = placesOf({ operation: idOf(flow.operation), operations: steps });
  const { icon, color, description, trigger, accountability, options } = flow;
  return {
    ...{ name, icon, color, description, trigger, accountability, options },
    status: 'inactive',
    operation: idOf(flow.operation),
    operations: followersFirst(steps).map((step) => ({ ...step, ...places.get(step.id) })),
  };
}
