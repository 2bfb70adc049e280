// The difference between a snapshot and this database as cards, one for each collection. Pure.

interface DiffEntry {
  readonly kind: 'N' | 'D' | 'E';
  readonly path?: readonly string[];
  readonly lhs?: unknown;
  readonly rhs?: unknown;
}

interface CollectionDiff {
  readonly collection: string;
  readonly diff: readonly DiffEntry[];
}

interface FieldDiff extends CollectionDiff {
  readonly field: string;
}

interface RelationDiff extends FieldDiff {
  readonly related_collection: string | null;
}

/** As `/schema/diff` answers. */
export interface HashedDiff {
  readonly hash: string;
  readonly diff: SnapshotDiff;
  /** What the file says and this service does not know. */
  readonly ignored?: readonly string[];
}

interface SnapshotDiff {
  readonly collections: readonly CollectionDiff[];
  readonly fields: readonly FieldDiff[];
  readonly relations: readonly RelationDiff[];
}

type Kind = 'created' | 'changed' | 'removed';

interface Edit {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One object that differs. */
export interface DiffLine {
  readonly kind: Kind;
  readonly subject: 'collection' | 'field' | 'relation';
  /** `field`, `field → other`; the collection itself has none. */
  readonly name: string;
  readonly type: string | null;
  readonly edits: readonly Edit[];
}

export interface DiffCard {
  readonly collection: string;
  readonly kind: Kind;
  readonly lines: readonly DiffLine[];
}

const kinds: Readonly<Record<DiffEntry['kind'], Kind>> = { N: 'created', D: 'removed', E: 'changed' };

/** Lists removals first, because they must not be overlooked. */
export function diffCards({ collections, fields, relations }: SnapshotDiff): readonly DiffCard[] {
  const lines = new Map<string, DiffLine[]>();
  const own = new Map<string, Kind>();
  const add = (collection: string, line: DiffLine) => lines.set(collection, [...(lines.get(collection) ?? []), line]);
  for (const { collection, diff } of collections) {
    const line = lineOf('collection', '', diff);
    own.set(collection, line.kind);
    if (line.kind === 'changed') add(collection, line);
    else lines.set(collection, []);
  }
  for (const { collection, field, diff } of fields) add(collection, lineOf('field', field, diff));
  for (const { collection, field, related_collection: related, diff } of relations)
    add(collection, lineOf('relation', related === null ? field : `${field} → ${related}`, diff));
  const order: readonly Kind[] = ['removed', 'changed', 'created'];
  return [...lines]
    .map(([collection, list]) => ({
      collection,
      kind: own.get(collection) ?? 'changed',
      lines: list.toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind)),
    }))
    .toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
}

function lineOf(subject: DiffLine['subject'], name: string, diff: readonly DiffEntry[]): DiffLine {
  const [first] = diff;
  const object = (first?.rhs ?? first?.lhs) as Readonly<Record<string, unknown>> | null | undefined;
  const kind = first === undefined ? 'changed' : kinds[first.kind];
  return {
    kind,
    subject,
    name,
    type: kind !== 'changed' && typeof object?.['type'] === 'string' ? object['type'] : null,
    edits: diff
      .filter((entry) => entry.kind === 'E')
      .map(({ path, lhs, rhs }) => ({ path: (path ?? []).join('.'), before: lhs ?? null, after: rhs ?? null })),
  };
}

/** Without what concerns these collections. */
export function leaveOut<T extends SnapshotDiff>(diff: T, collections: ReadonlySet<string>): T {
  const isKept = ({ collection }: CollectionDiff): boolean => !collections.has(collection);
  return {
    ...diff,
    collections: diff.collections.filter(isKept),
    fields: diff.fields.filter(isKept),
    relations: diff.relations.filter(isKept),
  };
}

/**
 * Whether values may be lost, in which case the service requires `force`. The service knows exactly which types hold all values of another
 * one; asking the person once too often does no harm.
 */
export function mayLose({ collections, fields }: SnapshotDiff): boolean {
  const isGone = ({ diff }: CollectionDiff): boolean =>
    diff.some(({ kind, lhs }) => kind === 'D' && (lhs as { readonly schema?: unknown } | null)?.schema !== null);
  return collections.some(isGone) || fields.some(isGone) || fields.some(({ diff }) => diff.some(isNarrower));
}

const sizes = new Set(['max_length', 'numeric_precision', 'numeric_scale']);

function isNarrower({ path, lhs, rhs }: DiffEntry): boolean {
  const [part, member] = path ?? [];
  if (part === 'type') return true;
  if (part !== 'schema') return false;
  return member === undefined || (sizes.has(member) && typeof rhs === 'number' && (typeof lhs !== 'number' || rhs < lhs));
}

/** How many collections and fields would be gone. */
export const removals = (cards: readonly DiffCard[]): number =>
  cards.reduce((sum, { kind, lines }) => sum + (kind === 'removed' ? 1 : lines.filter((line) => line.kind === 'removed').length), 0);
