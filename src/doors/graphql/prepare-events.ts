// A subscription operation, ready to be followed: what the realtime door needs of a document.

import { OperationTypeNode } from 'graphql';
import type { Caller } from '../../core/access/view.js';
import type { Key } from '../../core/engine/work/work.js';
import { applyVariables } from './compile/apply-variables.js';
import type { EventsTask } from './compile/root-task.js';
import type { SchemaCache } from './compile/schema-cache.js';
import { readBody } from './read-parameters.js';

export interface PreparedEvents extends Pick<EventsTask, 'collection' | 'parsed' | 'keys' | 'event' | 'since'> {
  /** Writes the message for one event; `data` is the JSON text of the item, or null. */
  write(event: { readonly kind: string; readonly key: Key; readonly data: string | null; readonly cursor: () => string }): string;
}

/** `payload` has the form of a request's body. null: the operation is a query or a mutation. Throws when the document is not valid. */
export function prepareEvents(schemas: SchemaCache, caller: Caller, payload: unknown): PreparedEvents | null {
  const { query, variables, operationName } = readBody(payload);
  const compiled = schemas.get(caller, 'items').document(query).operation(operationName);
  if (compiled.definition.operation !== OperationTypeNode.SUBSCRIPTION) return null;
  const [field] = applyVariables(compiled, variables).fields;
  if (field?.task.kind === 'failed') throw field.task.error;
  if (field?.task.kind !== 'events') return null;
  const { key, task } = field;
  const typename = JSON.stringify(task.typename);
  const wantsCursor = task.members.some(({ kind }) => kind === 'cursor');
  return {
    ...task,
    write: ({ kind, key: item, data, cursor }) => {
      const texts = {
        key: JSON.stringify([item].flat().map(String).join(',')),
        event: JSON.stringify(kind),
        data: data ?? 'null',
        cursor: wantsCursor ? JSON.stringify(cursor()) : '',
        typename,
      };
      const members = task.members.map(({ as, kind: member }) => `${JSON.stringify(as)}:${texts[member]}`);
      return `{"data":{${JSON.stringify(key)}:{${members.join(',')}}}}`;
    },
  };
}
