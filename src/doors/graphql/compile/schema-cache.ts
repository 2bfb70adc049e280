// Caches the GraphQL schemas of recent callers, by what they may see. Building is synchronous, so a hundred requests right after a change
// build once. The number of schemas and of their types is bounded; the least recently used entry is dropped first.

import { type GraphQLNamedType, OperationTypeNode } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { Lru } from '../../../core/util/lru.js';
import { prepareDocument } from '../document/prepare-document.js';
import { drawItemRoots } from '../schema/roots/draw-roots.js';
import { LazySchema, type Roots } from '../schema/roots/lazy-schema.js';
import { TypeDrawing } from '../schema/types/draw-types.js';
import { applyVariables, type RunnableOperation } from './apply-variables.js';
import type { Variables } from './compile-context.js';
import type { CompiledOperation } from './compile-operation.js';
import { CompiledDocument } from './compiled-document.js';

export type Endpoint = 'items' | 'system';

const MAX_SCHEMAS = 16;
const MAX_TYPES = 10_000;
const MAX_DOCUMENTS = 100;
/** In characters. Longer documents are rarely sent again and take much memory. */
const MAX_CACHED_LENGTH = 10_000;
const MAX_RUNS = 200;
/** In characters of the variables' JSON. */
const MAX_CACHED_VARIABLES = 500;

/** The schema of a caller's view, with the documents compiled against it. */
export class CallerSchema {
  readonly schema: LazySchema;
  readonly #limits: QueryLimits;
  readonly #documents = new Lru<string, CompiledDocument>(MAX_DOCUMENTS);
  readonly #runs = new Lru<string, RunnableOperation>(MAX_RUNS);

  constructor(schema: LazySchema, limits: QueryLimits) {
    this.schema = schema;
    this.#limits = limits;
  }

  /** Throws when the document is not valid in this schema. */
  document(text: string): CompiledDocument {
    const known = this.#documents.get(text);
    if (known !== undefined) return known;
    const compiled = new CompiledDocument(this.schema, prepareDocument(this.schema, text, this.#limits), this.#limits);
    if (text.length <= MAX_CACHED_LENGTH) this.#documents.set(text, compiled);
    return compiled;
  }

  /** The operation with its variables. Clients repeat the same few queries, so recent ones are cached; what failed is not. */
  apply(compiled: CompiledOperation, variables: Variables): RunnableOperation {
    if (compiled.definition.operation !== OperationTypeNode.QUERY) return applyVariables(compiled, variables);
    const text = JSON.stringify(variables);
    const key = `${compiled.id} ${text}`;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const applied = applyVariables(compiled, variables);
    if (text.length <= MAX_CACHED_VARIABLES && applied.fields.every(({ task }) => task.kind !== 'failed')) this.#runs.set(key, applied);
    return applied;
  }
}

/** Both endpoints of one view share its types. */
interface Entry {
  readonly drawing: TypeDrawing;
  readonly schemas: Map<Endpoint, CallerSchema>;
}

/** Draws the roots of the system endpoint and the types that only it has. */
export type DrawSystem = (drawing: TypeDrawing, caller: Caller) => { readonly roots: Roots; readonly types: readonly GraphQLNamedType[] };

export class SchemaCache {
  readonly #entries = new Map<string, Entry>();
  readonly #limits: QueryLimits;
  readonly #drawSystem: DrawSystem;
  #builds = 0;
  #last: string | null = null;

  constructor(limits: QueryLimits, drawSystem: DrawSystem) {
    this.#limits = limits;
    this.#drawSystem = drawSystem;
  }

  /** How many schemas it has built. */
  get builds(): number {
    return this.#builds;
  }

  get(caller: Caller, endpoint: Endpoint): CallerSchema {
    const key = `${caller.view.key}|${kindOf(caller)}`;
    const entry = this.#entries.get(key) ?? { drawing: new TypeDrawing(caller.view), schemas: new Map() };
    if (key !== this.#last) this.#shrink(key, entry);
    const known = entry.schemas.get(endpoint);
    if (known !== undefined) return known;
    const made = this.#build(caller, entry.drawing, endpoint);
    entry.schemas.set(endpoint, made);
    return made;
  }

  #build(caller: Caller, drawing: TypeDrawing, endpoint: Endpoint): CallerSchema {
    this.#builds += 1;
    if (endpoint === 'items') return new CallerSchema(new LazySchema(drawing, drawItemRoots(drawing)), this.#limits);
    const { roots, types } = this.#drawSystem(drawing, caller);
    return new CallerSchema(new LazySchema(drawing, roots, types), this.#limits);
  }

  /** Drops entries until the bounds hold. The entry in use stays, whatever its size. */
  #shrink(key: string, entry: Entry): void {
    this.#last = key;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    let types = [...this.#entries.values()].reduce((sum, entry) => sum + entry.drawing.size, 0);
    for (const [oldest, weighed] of this.#entries) {
      if (this.#entries.size === 1 || (this.#entries.size <= MAX_SCHEMAS && types <= MAX_TYPES)) return;
      this.#entries.delete(oldest);
      types -= weighed.drawing.size;
    }
  }
}

/** Rules of operations distinguish these (`OpenRule`). */
function kindOf({ accountability: { user, viewer, accessKey } }: Caller): string {
  if (accessKey !== null) return 'keyed';
  if (user !== null) return 'known';
  return viewer === null ? 'public' : 'viewed';
}
