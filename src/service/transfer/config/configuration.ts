// The configuration of a database as things: read, compared with those of a folder, and made so, in one change of structure.

import type { Caller } from '../../../core/access/view.js';
import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import { applyDiff, diffSnapshot } from '../../structure/migrate-structure.js';
import type { Planner } from '../../structure/plan/change-set.js';
import type { Snapshot } from '../../structure/snapshot/snapshot.js';
import type { Change, Structure } from '../../structure/structure.js';
import { type Bases, compareThings, type ThingDifference } from './compare-things.js';
import { planRows, type Rekeyed, type ThingChange } from './plan-rows.js';
import { type Digests, keepPushed, readPushed } from './pushed.js';
import { type RowKind, rowKinds } from './row-kinds.js';
import { flatten, type RowsByKind, readRows, rowThings } from './row-things.js';
import { snapshotWith, structureKind, structureThings } from './structure-things.js';
import { digestOfThing, type Thing, thingId } from './thing.js';

export interface PushOptions {
  /** Kinds of things; null: all. */
  readonly only: readonly string[] | null;
  /** Removes what the files do not have. */
  readonly prune: boolean;
  /** Paths of things that are pushed although the database was changed since. */
  readonly force: readonly string[];
  /** Allows changes of structure that lose data. */
  readonly lossy: boolean;
  readonly folder: Digests | null;
}

export interface PushPlan {
  readonly differences: readonly ThingDifference[];
  readonly conflicts: readonly ThingDifference[];
  /** What would be removed and is not, with the reason. */
  readonly kept: readonly string[];
  /** Of the database. */
  readonly statements: readonly string[];
  /** Makes it so. Resolves to what the database then has of the things in question. */
  run(): Promise<Digests>;
}

export interface Configuration {
  readonly kinds: readonly string[];
  /** How things of a kind are told apart in their documents: the field of the key; null: there is one thing. */
  keyField(kind: string): string | null | undefined;
  read(only: readonly string[] | null): Promise<readonly Thing[]>;
  plan(wanted: readonly Thing[], options: PushOptions): Promise<PushPlan>;
}

interface Deps {
  readonly dialect: Dialect;
  readonly system: SystemHome;
  readonly structure: Structure;
  readonly caller: () => Caller;
}

export function openConfiguration(deps: Deps): Configuration {
  const kinds = rowKinds(deps.system);
  const names = [structureKind, ...kinds.map(({ name }) => name)];
  const isMeant = (only: readonly string[] | null, kind: string): boolean => only === null || only.includes(kind);
  const read = async (only: readonly string[] | null): Promise<State> => {
    const rows = await readRows(deps, kinds);
    const snapshot = deps.structure.snapshot();
    const things = [...structureThings(snapshot), ...rowThings(kinds, rows)].filter(({ kind }) => isMeant(only, kind));
    return { rows, snapshot, things };
  };
  return {
    kinds: names,
    keyField: (kind) => (kind === structureKind ? 'collection' : keyFieldOf(kinds.find(({ name }) => name === kind))),
    read: async (only) => (await read(only)).things,
    async plan(wanted, options) {
      const state = await read(options.only);
      const bases: Bases = { pushed: await readPushed(deps), folder: options.folder };
      const meant = wanted.filter(({ kind }) => isMeant(options.only, kind));
      const plan = await decide(deps, kinds, state, compareThings(state.things, meant, bases), options);
      const change = changeOf(deps, kinds, state, plan, options);
      return {
        ...plan,
        statements: plan.differences.length === 0 || plan.conflicts.length > 0 ? [] : (await deps.structure.preview(change)).statements,
        async run() {
          if (plan.differences.length > 0) await deps.structure.run(deps.caller(), change);
          const made = Object.fromEntries((await read(options.only)).things.map((thing) => [thingId(thing), digestOfThing(thing)]));
          const ids = meant.map(thingId).filter((id) => made[id] !== undefined);
          const digests = Object.fromEntries(ids.map((id) => [id, made[id] ?? '']));
          const others = Object.entries(bases.pushed ?? {}).filter(
            ([id]) => !isMeant(options.only, id.slice(0, id.indexOf('/'))) || made[id] !== undefined,
          );
          await keepPushed(deps, { ...Object.fromEntries(others), ...digests });
          return digests;
        },
      };
    },
  };
}

function keyFieldOf(kind: RowKind | undefined): string | null | undefined {
  if (kind === undefined) return undefined;
  return kind.identity === 'single' ? null : kind.identity === 'group' ? kind.group : 'id';
}

interface State {
  readonly rows: RowsByKind;
  readonly snapshot: Snapshot;
  readonly things: readonly Thing[];
}

type Decision = Pick<PushPlan, 'differences' | 'conflicts' | 'kept'> & { readonly rekeyed: readonly Rekeyed[] };

/** What is left alone, what is removed, and what has another key here. */
async function decide(
  deps: Deps,
  kinds: readonly RowKind[],
  state: State,
  all: readonly ThingDifference[],
  options: PushOptions,
): Promise<Decision> {
  const rekeyed = all.flatMap((difference) => sameByName(difference, all, kinds));
  const replaced = new Set(rekeyed.map(({ kind, from }) => `${kind.name}/${from}`));
  const kept: string[] = [];
  const differences: ThingDifference[] = [];
  for (const difference of all) {
    const kind = kinds.find(({ name }) => name === difference.kind);
    if (difference.action !== 'remove' || replaced.has(difference.id)) differences.push(difference);
    else if (options.prune && kind?.identity !== 'single') {
      const owner = kind === undefined ? null : await ownerOf(deps, kind, difference.present?.key ?? '', state.rows, kinds);
      if (owner === null) differences.push(difference);
      else kept.push(`${difference.path}: ${owner} have it`);
    }
  }
  const isForced = ({ path, id }: ThingDifference): boolean => options.force.includes(path) || options.force.includes(id);
  const conflicts = differences.filter((difference) => difference.isConflict && !isForced(difference) && !replaced.has(difference.id));
  return { differences, conflicts, kept, rekeyed };
}

/** Every database makes its first role and policy under keys of its own: the one of the same name is meant. */
function sameByName(
  { action, kind: name, wanted }: ThingDifference,
  all: readonly ThingDifference[],
  kinds: readonly RowKind[],
): readonly Rekeyed[] {
  const kind = kinds.find((candidate) => candidate.name === name);
  if (action !== 'create' || wanted === null || kind?.identity !== 'uuid' || !isHad(kind)) return [];
  const alike = all.filter(
    (other) => other.kind === name && other.action === 'remove' && other.present?.document['name'] === wanted.document['name'],
  );
  const [only] = alike;
  return alike.length === 1 && only?.present != null ? [{ kind, from: only.present.key, to: wanted.key }] : [];
}

/** Whether rows that are no configuration, or belong to a user, name rows of this kind. */
const isHad = ({ definition, children }: RowKind): boolean =>
  namers(definition.collection).length > 0 || children.some(({ kind }) => kind.personal.length > 0);

const namers = (collection: string) =>
  systemDefinitions
    .filter(({ kept }) => kept !== 'configuration')
    .flatMap((definition) =>
      definition.relations.filter(({ related }) => related === collection).map(({ field }) => ({ definition, field })),
    );

/** Who has a row that would be removed: a table in the plural; null: nobody. */
async function ownerOf(
  { dialect, system }: Deps,
  kind: RowKind,
  key: string,
  rows: RowsByKind,
  kinds: readonly RowKind[],
): Promise<string | null> {
  const personal = flatten(kinds).find((other) =>
    (rows.get(other.name) ?? []).some(
      (row) =>
        other.personal.some((field) => (row[field] ?? null) !== null) &&
        other.definition.relations.some(({ field, related }) => related === kind.definition.collection && row[field] === key),
    ),
  );
  if (personal !== undefined) return 'users';
  for (const { definition, field } of namers(kind.definition.collection)) {
    const found = await systemRows(dialect.syntax, definition, system).read(dialect.driver, [field], { [field]: key }, 1);
    if (found.length > 0) return definition.collection.replace(/^service_/, '');
  }
  return null;
}

function changeOf(
  deps: Deps,
  kinds: readonly RowKind[],
  { rows, snapshot }: State,
  { differences, rekeyed }: Decision,
  { lossy }: PushOptions,
): Change<void> {
  const ofStructure = differences.filter(({ kind }) => kind === structureKind);
  const changes = differences.flatMap(({ kind: name, present, wanted }): readonly ThingChange[] => {
    const kind = kinds.find((candidate) => candidate.name === name);
    return kind === undefined ? [] : [{ kind, present, wanted }];
  });
  const rowPlanner: Planner = () => ({ changes: [], rows: planRows(changes, rekeyed, rows) });
  return { planners: [...structurePlanners(deps, snapshot, ofStructure, lossy), rowPlanner], answer: () => undefined };
}

function structurePlanners(
  { caller }: Deps,
  snapshot: Snapshot,
  differences: readonly ThingDifference[],
  lossy: boolean,
): readonly Planner[] {
  if (differences.length === 0) return [];
  const touched = new Set(differences.map(({ present, wanted }) => (wanted ?? present)?.key));
  const isKept = ({ collection }: { readonly collection: string }): boolean => !touched.has(collection);
  const rest = {
    ...snapshot,
    collections: snapshot.collections.filter(isKept),
    fields: snapshot.fields.filter(isKept),
    relations: snapshot.relations.filter(isKept),
  };
  const wanted = snapshotWith(
    rest,
    differences.flatMap((difference) => difference.wanted ?? []),
  );
  const found = diffSnapshot(snapshot, wanted, 'mirror', caller().view.schema.nameOf);
  return found === null ? [] : applyDiff(found, { force: false, lossy }).planners;
}
