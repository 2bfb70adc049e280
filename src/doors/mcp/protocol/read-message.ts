// Reads the body of a request as one message of JSON-RPC.

import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { type RequestId, RpcError, rpcCodes } from './rpc-error.js';

export interface RpcMessage {
  /** null: a notification, which is not answered. */
  readonly id: RequestId | null;
  readonly method: string;
  readonly params: PlainObject;
}

/** Ids come back in the answer; longer ones are none that a client makes. */
const longestId = 1_000;

export function readMessage(body: unknown): RpcMessage {
  if (Array.isArray(body)) throw invalid('Send each message in a request of its own: batches are not part of the protocol.');
  if (!isPlainObject(body) || body['jsonrpc'] !== '2.0') throw invalid('The body has to be a message of JSON-RPC 2.0.');
  const { id, method, params = {} } = body;
  if (typeof method !== 'string') throw invalid('"method" is missing: only requests and notifications are taken.');
  if (!isPlainObject(params)) throw new RpcError(rpcCodes.invalidParameters, '"params" has to be an object.');
  return { id: id === undefined ? null : readId(id), method, params };
}

function readId(id: unknown): RequestId {
  if (typeof id === 'number' && Number.isFinite(id)) return id;
  if (typeof id === 'string' && id.length <= longestId) return id;
  throw invalid('"id" has to be a text or a number.');
}

/** The id of a body, for errors; null if it cannot be read. */
export function idIn(body: unknown): RequestId | null {
  try {
    return isPlainObject(body) && body['id'] !== undefined ? readId(body['id']) : null;
  } catch {
    return null;
  }
}

const invalid = (message: string): RpcError => new RpcError(rpcCodes.invalidRequest, message);
