// Steps that change the structure before and after a conversation, as members of one `POST /schema/changes`. A change costs the service the same for one
// table as for ten: it locks the structure, reads the catalogue and builds its schema.

import type { Step } from './suite.js';

export interface ListedChange {
  readonly change: string;
  readonly collection?: string | undefined;
  readonly field?: string | undefined;
  readonly data?: unknown;
}

type Portion = { readonly kind: 'step'; readonly step: Step } | { readonly kind: 'changes'; readonly steps: readonly Step[] };

/** In their order; changes that follow each other are one portion. */
export function mergeChanges(steps: readonly Step[]): readonly Portion[] {
  const portions: Portion[] = [];
  for (const step of steps) {
    const last = portions.at(-1);
    if (toChange(step) === null) portions.push({ kind: 'step', step });
    else if (last?.kind === 'changes') portions.splice(-1, 1, { kind: 'changes', steps: [...last.steps, step] });
    else portions.push({ kind: 'changes', steps: [step] });
  }
  return portions;
}

/** null: it is none, or its own answer matters. */
export function toChange({ method, path, body, as, headers, rawBody, save }: Step): ListedChange | null {
  if ([as, headers, rawBody, save].some((given) => given !== undefined)) return null;
  const [, resource, collection, field, ...rest] = path.split('/');
  if (rest.length > 0 || path.includes('?')) return null;
  switch (`${method} ${resource} ${[collection, field].filter((part) => part !== undefined).length}`) {
    case 'POST collections 0':
      return { change: 'create_collection', data: body };
    case 'POST relations 0':
      return { change: 'create_relation', data: body };
    case 'POST fields 1':
      return { change: 'create_field', collection, data: body };
    case 'DELETE collections 1':
      return { change: 'delete_collection', collection };
    case 'DELETE fields 2':
      return { change: 'delete_field', collection, field };
    default:
      return null;
  }
}

export const isDrop = ({ change }: ListedChange): boolean => change.startsWith('delete_');
