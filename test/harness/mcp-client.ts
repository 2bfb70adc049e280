// Clients of the door for assistants: the official ones of both generations, and messages as no client would send them.

import { Client as StatelessClient, StreamableHTTPClientTransport as StatelessTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Answer } from './api.js';
import type { TestService } from './start-service.js';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
type Json = any;

export interface Assistant {
  readonly revision: string;
  /** The definitions of the tools. */
  tools(): Promise<readonly Json[]>;
  /** What a tool answers; for an error, its code with the status of the answer before. */
  call(name: string, values?: object): Promise<Json>;
  close(): Promise<void>;
}

const about = { name: 'test assistant', version: '1.2' };

const options = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

/** Up to 2025-11-25, with a handshake. */
export async function openAssistant({ url }: TestService, token: string): Promise<Assistant> {
  const client = new Client(about);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options(token));
  // The types of the package are not written for exact optional properties.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return {
    revision: transport.protocolVersion ?? '',
    tools: async () => (await client.listTools()).tools,
    call: async (name, values = {}) => told(await client.callTool({ name, arguments: { ...values } })),
    close: () => client.close(),
  };
}

/** 2026-07-28, where every request says everything about itself. */
export async function openStatelessAssistant({ url }: TestService, token: string): Promise<Assistant> {
  const client = new StatelessClient(about, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StatelessTransport(new URL(`${url}/mcp`), options(token)));
  return {
    revision: client.getNegotiatedProtocolVersion() ?? '',
    tools: async () => (await client.listTools()).tools,
    call: async (name, values = {}) => told(await client.callTool({ name, arguments: { ...values } })),
    close: () => client.close(),
  };
}

/** The text has to say the same as the structured content. */
function told({ isError, structuredContent, content }: Json): Json {
  const [{ text }] = content;
  if (JSON.stringify(structuredContent) !== JSON.stringify(JSON.parse(text))) throw new Error(`the text says something else: ${text}`);
  return isError === true ? { refused: structuredContent.errors[0].extensions.code, ...structuredContent } : structuredContent;
}

/** Sends a body with the headers of a client of 2025-11-25. */
export const postMessage = (
  service: TestService,
  token: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => service.as(token).post('/mcp', body, { accept: 'application/json, text/event-stream', ...headers });
