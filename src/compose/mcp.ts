// Puts the door for assistants together over the same operations as REST; loaded with the first request for it.

import { answerMcp, type McpDeps } from '../doors/mcp/answer-mcp.js';
import type { McpAnswers } from '../doors/mcp/mcp-routes.js';
import { digestWith } from '../service/secrets/token.js';
import { version } from '../version.js';

export interface ComposeMcpDeps extends Omit<McpDeps, 'sign' | 'version'> {
  readonly secret: string;
}

export function composeMcp({ secret, ...deps }: ComposeMcpDeps): McpAnswers {
  const door: McpDeps = { ...deps, version, sign: (text) => digestWith(secret, `planned change ${text}`) };
  return { answer: (request, reply) => answerMcp(door, request, reply) };
}
