// Errors in the form of JSON-RPC. Codes of the protocol are negative; where the service refuses a request as such (no caller, too many
// requests, a body too large), the code is the status of HTTP and `data` has the errors as REST answers them.

import type { ServiceError } from '../../../core/errors/service-error.js';

export const rpcCodes = {
  malformed: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParameters: -32_602,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const;

export type RequestId = string | number;

/** A request that is refused before a tool runs. `status`: of HTTP. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, { status = 400, data }: { readonly status?: number; readonly data?: unknown } = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export const rpcErrorText = (id: RequestId | null, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), error: { code, message, ...(data === undefined ? {} : { data }) } });

/** What a body that could not be read is called, and anything else that the frame refuses. */
export function asRpcError(error: ServiceError): RpcError {
  const { status, code, message } = error;
  const rpcCode = code === 'INVALID_PAYLOAD' ? rpcCodes.malformed : status;
  return new RpcError(rpcCode, message, { status, data: { errors: errorsOf(error) } });
}

/** The errors as REST answers them. */
export const errorsOf = ({ entries }: ServiceError): readonly unknown[] =>
  entries.map(({ code, message, extensions }) => ({ message, extensions: { ...extensions, code } }));
