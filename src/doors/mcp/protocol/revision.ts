// Which revision of the protocol a request follows. Up to 2025-11-25 a client begins with `initialize` and names the revision in a header;
// since 2026-07-28 each request says everything about itself, in `_meta` and in headers that repeat parts of the body. Both are served without
// a session.

import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { RpcMessage } from './read-message.js';
import { RpcError, rpcCodes } from './rpc-error.js';

const stateless = '2026-07-28';
const handshaken = ['2025-11-25', '2025-06-18'] as const;

export const revisions: readonly string[] = [stateless, ...handshaken];

export interface Conversation {
  readonly kind: 'stateless' | 'handshaken';
  /** Name and version as the client gives them; null: it does not. */
  readonly client: string | null;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** Refuses what the revision does not allow. */
export function readRevision({ method, params }: RpcMessage, headers: IncomingHttpHeaders): Conversation {
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  const [stated, header] = [meta[versionKey], single(headers['mcp-protocol-version'])];
  const version = stated ?? (method === 'initialize' ? undefined : header);
  if (version !== undefined && !revisions.includes(String(version))) throw unsupported(version);
  if (version !== stateless) return { kind: 'handshaken', client: null };
  if (stated === undefined) throw new RpcError(rpcCodes.invalidParameters, `"_meta" has to name "${versionKey}".`);
  if (!isPlainObject(meta[capabilitiesKey])) throw new RpcError(rpcCodes.invalidParameters, `"_meta" has to hold "${capabilitiesKey}".`);
  expectHeader('MCP-Protocol-Version', header, stated);
  expectHeader('Mcp-Method', single(headers['mcp-method']), method);
  if (method === 'tools/call') expectHeader('Mcp-Name', decoded(single(headers['mcp-name'])), params['name']);
  return { kind: 'stateless', client: clientOf(meta[clientKey]) };
}

/** The revision that `initialize` answers: the one asked for, or else the latest with a handshake. */
export const agreedRevision = (asked: unknown): string => handshaken.find((revision) => revision === asked) ?? handshaken[0];

const unsupported = (requested: unknown): RpcError =>
  new RpcError(rpcCodes.unsupportedRevision, 'Unsupported protocol version', {
    data: { supported: revisions, requested: String(requested).slice(0, 100) },
  });

const single = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header.join(', ');

function expectHeader(name: string, header: string | undefined, value: unknown): void {
  if (header === value) return;
  const found = header === undefined ? 'is missing' : `does not match the body`;
  throw new RpcError(rpcCodes.headerMismatch, `Header mismatch: ${name} ${found}.`);
}

/** A value that a header cannot hold comes as Base64 between marks. */
function decoded(header: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(header ?? '') ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}

const longestName = 60;

/** Printable ASCII only: it is written into the activity. */
function clientOf(info: unknown): string | null {
  if (!isPlainObject(info) || typeof info['name'] !== 'string') return null;
  const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longestName);
  return typeof info['version'] === 'string' ? `${plain(info['name'])}/${plain(info['version'])}` : plain(info['name']);
}
