// Endpoints of extensions as operations of the service: what REST, GraphQL, OpenAPI, limits and Idempotency-Keys do for built-in ones they do for
// these, because nothing of it knows the difference.

import { refuseReader } from '../../core/access/accountability.js';
import { ServiceError } from '../../core/errors/service-error.js';
import { type Call, type Operation, operation } from '../operations/operation.js';
import { inPayload, type Members, readMembers, type Shape } from '../operations/shape.js';
import { type ContextDeps, contextIn, openContext } from './context.js';
import type { Context, Endpoint, Extension, OpenContext } from './extension.js';
import { ExtensionFault } from './fault.js';
import { nameMembers, nameShape } from './named-shapes.js';
import { runPart } from './run-part.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** An operation and where the doors offer it. */
export interface OfferedEndpoint {
  readonly method: Method;
  /** `/x/shop/orders/{id}` */
  readonly path: string;
  readonly operation: Operation;
  /** The same, rolled back; null: it has no transaction that could be. */
  readonly rehearsal: Operation | null;
  /** Assistants may use it. */
  readonly agents: boolean;
}

/** In the transaction that holds its locks, and without one. */
const deadlines = { inTransaction: 5_000, open: 30_000 } as const;

type Run = (input: unknown, context: Context | OpenContext) => unknown;

interface Described {
  readonly extension: string;
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly endpoint: Endpoint;
}

export const offerEndpoints = (deps: ContextDeps, extension: Extension): readonly OfferedEndpoint[] =>
  describeEndpoints(extension).map((described) => offer(deps, described));

/** `x_shop_orders_id`: the id of the operation, and its field in GraphQL. */
export function describeEndpoints({ name, endpoints = {} }: Extension): readonly Described[] {
  return Object.entries(endpoints).map(([address, endpoint]) => {
    const [method = 'GET', path = '/'] = address.split(' ');
    const words = endpoint.id ?? path.slice(1).replace(/[{}]/g, '').replace(/[/-]/g, '_');
    return {
      extension: name,
      id: `x_${name.replaceAll('-', '_')}_${words}`,
      method: method as Method,
      path: `/x/${name}${path}`,
      endpoint,
    };
  });
}

function offer(deps: ContextDeps, described: Described): OfferedEndpoint {
  const { method, path, endpoint } = described;
  const reads = method === 'GET';
  const isWithin = !reads && endpoint.transaction !== false;
  const facts = operationFacts(described);
  const run = endpoint.run as Run;
  const within =
    (dryRun: boolean) =>
    (call: Call, input: unknown): Promise<unknown> =>
      call.transaction((work) => answered(described, deadlines.inTransaction, (part) => run(input, contextIn(deps, part, work))), {
        dryRun,
      });
  const open = async (call: Call, input: unknown): Promise<unknown> =>
    answered(described, deadlines.open, (part) => run(input, openContext(deps, part, call.caller, { reads })));
  /** What it does outside of the database is not rolled back, so that a caller who may only read may not even try it out. */
  const writing =
    (act: typeof open) =>
    async (call: Call, input: unknown): Promise<unknown> => {
      refuseReader(call.caller.accountability);
      return act(call, input);
    };
  const once = reads ? 'never' : isWithin ? 'in-transaction' : 'apart';
  return {
    method,
    path,
    operation: operation({ ...facts, once, run: reads ? open : writing(isWithin ? within(false) : open) }),
    rehearsal: isWithin ? operation({ ...facts, once: 'never', run: writing(within(true)) }) : null,
    agents: endpoint.agents === true,
  };
}

function operationFacts({ extension, id, endpoint }: Described) {
  const { summary, input = {}, output, open } = endpoint;
  return {
    id,
    tag: extension,
    summary: summary ?? `Of the extension "${extension}"`,
    input: nameMembers(input as Members, `${id}_input`),
    output: nameShape(output, id),
    open: [open].flat(),
  };
}

/** The result in the shape that was promised: what the shape does not name is left out. */
async function answered(
  { extension, path, method, endpoint }: Described,
  deadlineMs: number,
  run: Parameters<typeof runPart>[1],
): Promise<unknown> {
  const where = `${method} ${path}`;
  const value = await runPart({ extension, where, deadlineMs }, run);
  return inShape(
    endpoint.output,
    value,
    (what) => new ExtensionFault(extension, `answers ${where} by something else than its output says: ${what}`),
  );
}

function inShape(output: Shape<unknown>, value: unknown, fault: (what: string) => Error): unknown {
  if (output.facts.kind === 'nothing') return undefined;
  try {
    return readMembers({ answer: output }, { answer: value }, inPayload).answer;
  } catch (error) {
    throw error instanceof ServiceError ? fault(error.message) : error;
  }
}
