// The schemas of the callers seen lately. Building is synchronous, so a hundred requests that come at once after a change build once. The
// number of schemas and of the types they hold is bounded; what was used longest ago goes first.

import type { GraphQLNamedType } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import { PlanCache } from '../../../core/engine/plan-cache.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { type Prepared, prepareDocument } from '../document/prepare-document.js';
import { drawItemRoots } from './draw-roots.js';
import { TypeDrawing } from './draw-types.js';
import { fixedTypes } from './fixed-types.js';
import { LazySchema, type Roots } from './lazy-schema.js';

export type Endpoint = 'items' | 'system';

const MAX_SCHEMAS = 16;
const MAX_TYPES = 10_000;
const MAX_DOCUMENTS = 100;
/** Longer ones are hardly sent again, and weigh much. */
const MAX_KEPT_LENGTH = 10_000;

/** A schema with the documents that were found to fit it. */
export class CallerSchema {
  readonly schema: LazySchema;
  readonly #limits: QueryLimits;
  readonly #documents = new PlanCache<Prepared>(MAX_DOCUMENTS);

  constructor(schema: LazySchema, limits: QueryLimits) {
    this.schema = schema;
    this.#limits = limits;
  }

  prepare(text: string): Prepared {
    const known = this.#documents.get(text);
    if (known !== undefined) return known;
    const prepared = prepareDocument(this.schema, text, this.#limits);
    if (text.length <= MAX_KEPT_LENGTH) this.#documents.set(text, prepared);
    return prepared;
  }
}

/** What one caller sees; both endpoints share its types. */
interface Entry {
  readonly drawing: TypeDrawing;
  readonly schemas: Map<Endpoint, CallerSchema>;
}

/** Draws the roots of the system endpoint, and the types only it has. */
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

  /** How many schemas were built so far. */
  get builds(): number {
    return this.#builds;
  }

  get(caller: Caller, endpoint: Endpoint): CallerSchema {
    const key = `${caller.view.key}|${caller.accountability.user === null ? 'public' : 'known'}`;
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
    if (endpoint === 'items') return new CallerSchema(new LazySchema(drawing, drawItemRoots(drawing), fixedTypes), this.#limits);
    const { roots, types } = this.#drawSystem(drawing, caller);
    return new CallerSchema(new LazySchema(drawing, roots, [...fixedTypes, ...types]), this.#limits);
  }

  /** The one in use stays, whatever it weighs. */
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
