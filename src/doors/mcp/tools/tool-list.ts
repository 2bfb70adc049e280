// The tools, and how they are described to a client. The descriptions hold nothing of the database: their length does not depend on it, and nobody
// who writes items writes into them.

import type { Caller } from '../../../core/access/view.js';
import { objectSchema } from '../../../service/describe/openapi/shape-schema.js';
import type { Members } from '../../../service/operations/shape.js';
import { change } from './change.js';
import { files, history } from './history.js';
import { aggregate, read } from './read.js';
import { runFlow } from './run-flow.js';
import { schema } from './schema.js';
import { structure, why } from './structure.js';
import type { Tool } from './tool.js';

const tools: readonly Tool[] = [schema, read, aggregate, change, history, files, runFlow, why, structure];

/** `own`: those of this service alone. */
export const findTool = (name: unknown, own: readonly Tool[]): Tool | null => [...tools, ...own].find((tool) => tool.name === name) ?? null;

/** Those that the caller can use, always in the same order. */
export const describeTools = (caller: Caller, own: readonly Tool[]): readonly unknown[] =>
  [...tools, ...own].filter((tool) => tool.isOpen(caller)).map(describe);

const describe = ({ name, title, description, input, effect }: Tool): unknown => ({
  name,
  title,
  description,
  inputSchema: inputSchema(input),
  annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect !== 'reads', openWorldHint: effect === 'starts' },
});

function inputSchema(members: Members): unknown {
  const { properties, ...schema } = objectSchema(members) as { readonly properties: Readonly<Record<string, object>> };
  const described = Object.entries(properties).map(([name, property]) => {
    const { description = null } = members[name] ?? {};
    return [name, description === null ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(described), additionalProperties: false };
}
