// /server/info: name and appearance of the project for everybody, limits and version for signed-in callers.

import type { Caller } from '../../core/access/view.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import { publicSettings } from '../operations/server.js';

export interface ServerFacts {
  readonly version: string;
  /** The version of the protocol whose form the wire has; null on the wire of the specification. */
  readonly protocol: string | null;
  readonly queryLimit: { readonly default: number; readonly max: number };
  /** Requests per second and caller; null: not limited. */
  readonly rateLimit: number | null;
  readonly uploadLimit: number;
  /** null: no WebSockets. */
  readonly websockets: { readonly authentication: string; readonly heartbeatMs: number | null } | null;
}

export function describeServer({ accountability }: Caller, settings: MetaRow, setupCompleted: boolean, facts: ServerFacts): MetaRow {
  const project = Object.fromEntries(Object.keys(publicSettings).map((name) => [name, settings[name] ?? null]));
  const known = accountability.user !== null || accountability.admin;
  if (!known) return { project, setupCompleted };
  return {
    project,
    setupCompleted,
    version: facts.protocol ?? facts.version,
    tain: facts.version,
    queryLimit: facts.queryLimit,
    rateLimit: facts.rateLimit === null ? false : { points: facts.rateLimit, duration: 1 },
    rateLimitGlobal: false,
    websocket: facts.websockets === null ? false : describeSockets(facts.websockets),
    extensions: { limit: null },
    files: { mimeTypeAllowList: ['*/*'] },
    uploads: { maxFileSize: facts.uploadLimit },
  };
}

const describeSockets = ({ authentication, heartbeatMs }: NonNullable<ServerFacts['websockets']>): MetaRow => ({
  rest: { authentication, path: '/websocket' },
  graphql: { authentication, path: '/graphql' },
  heartbeat: heartbeatMs === null ? false : Math.ceil(heartbeatMs / 1000),
  collaborativeEditing: false,
  logs: false,
});
