// Puts the door for assistants together over the same operations as REST; loaded with the first request for it.

import { answerMcp, type McpDeps } from '../doors/mcp/answer-mcp.js';
import type { McpAnswers } from '../doors/mcp/mcp-routes.js';
import { endpointTool, type MarkedEndpoint } from '../doors/mcp/tools/endpoint-tool.js';
import { digestWith } from '../service/secrets/token.js';
import { version } from '../version.js';

export interface ComposeMcpDeps extends Omit<McpDeps, 'sign' | 'version' | 'ownTools'> {
  readonly secret: string;
  readonly endpoints: readonly MarkedEndpoint[];
}

export function composeMcp({ secret, endpoints, ...deps }: ComposeMcpDeps): McpAnswers {
  const ownTools = endpoints.map(endpointTool);
  const door: McpDeps = { ...deps, version, ownTools, sign: (text) => digestWith(secret, `planned change ${text}`) };
  return { answer: (request, reply) => answerMcp(door, request, reply) };
}
