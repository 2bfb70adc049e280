// Questions about the schema itself: the one thing graphql-js executes.

import { executeSync, Kind } from 'graphql';
import type { FieldNodes } from '../compile/collect-fields.js';
import type { RunContext } from './run-context.js';

export function runIntrospection({ compile, prepared, operation, given }: RunContext, key: string, nodes: FieldNodes): string {
  const only = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: [...nodes] } } as const;
  const document = { kind: Kind.DOCUMENT, definitions: [only, ...prepared.fragments.values()] } as const;
  const { data, errors } = executeSync({ schema: compile.schema, document, variableValues: given });
  if (errors?.[0] !== undefined) throw errors[0];
  return JSON.stringify(data?.[key] ?? null);
}
