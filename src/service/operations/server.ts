// Descriptions of the service itself.

import { completeSetup as completeFirstSetup } from '../auth/account/setup.js';
import { type Operation, Outcome, operation } from './operation.js';
import type { GraphqlAlias, ReportedStatement, SlowStatementReport } from './operation-deps.js';
import { answer, boolean, choice, described, document, integer, json, list, nothing, object, optional, type Shape, text } from './shape.js';

const tag = 'server';

export const ping = operation({
  id: 'ping',
  tag,
  summary: 'Whether the service is there',
  input: {},
  output: text(),
  open: ['everybody'],
  once: 'never',
  run: () => 'pong',
});

/** Settings may be longer than the texts of a request. */
const setting: Shape<string | null> = optional(text({ maxLength: Number.MAX_SAFE_INTEGER }));

/** The settings that every caller may see. */
export const publicSettings = {
  project_name: setting,
  project_descriptor: setting,
  project_logo: setting,
  project_color: setting,
  default_language: setting,
  default_appearance: setting,
  default_theme_light: setting,
  default_theme_dark: setting,
  theme_light_overrides: optional(json),
  theme_dark_overrides: optional(json),
  public_foreground: setting,
  public_background: optional(json),
  public_favicon: setting,
  public_note: setting,
  custom_css: setting,
  public_registration: optional(boolean),
  public_registration_verify_email: optional(boolean),
};

const rows = integer(-1, 2_147_483_647);

const publicInfo = {
  project: object(publicSettings, { name: 'server_info_project' }),
  setupCompleted: boolean,
};

/** What callers see who are not signed in. */
export const publicServerInfo = object(publicInfo, { name: 'server_info' });

export const knownServerInfo = object(
  {
    ...publicInfo,
    version: described(optional(text()), 'Of the protocol, on the wire of the former server.'),
    tain: described(optional(text()), 'The version of the service.'),
    rateLimit: optional(json),
    rateLimitGlobal: optional(json),
    websocket: optional(json),
    queryLimit: optional(object({ default: rows, max: rows }, { name: 'server_info_query_limit' })),
    extensions: optional(document()),
    files: optional(document()),
    uploads: optional(document()),
  },
  { name: 'server_info' },
);

export const serverInfo = operation({
  id: 'serverInfo',
  tag,
  summary: 'What this service is',
  input: {},
  output: knownServerInfo as Shape<unknown>,
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller }) => deps.server.info(caller),
});

export const serverHealth = operation({
  id: 'serverHealth',
  tag,
  summary: 'Whether the service is well; with details for administrators',
  input: {},
  output: object({ status: choice(['ok', 'warn', 'error']) }) as Shape<unknown>,
  open: ['everybody'],
  once: 'never',
  run: async ({ deps, caller }) => {
    const health = await deps.server.health(caller);
    return new Outcome(health, { unavailable: health.status === 'error' });
  },
});

export const serverReady = operation({
  id: 'serverReady',
  tag,
  summary: 'Whether a balancer should send requests here: not while the database is away or the service is about to end',
  input: {},
  output: object({ status: choice(['ok', 'error']) }, { name: 'server_ready' }),
  open: ['everybody'],
  once: 'never',
  run: ({ deps }) => {
    const ready = deps.server.isReady();
    return new Outcome({ status: ready ? ('ok' as const) : ('error' as const) }, { unavailable: !ready });
  },
});

export const readMetrics = operation({
  id: 'readMetrics',
  tag,
  summary: 'Measurements of this process in the text format of Prometheus; with METRICS=on also those of requests and stages',
  input: {},
  output: text(),
  open: ['administrators'],
  once: 'never',
  run: ({ deps }) => deps.server.metrics(),
});

const milliseconds = integer(0, 2_147_483_647);

const slowStatement = answer<ReportedStatement>(
  {
    moment: described(text(), 'When it ended.'),
    duration_ms: milliseconds,
    sql: described(text(), 'Of the statement and of those that were sent with it, without values of requests.'),
    collections: list(text()),
    plan: described(
      optional(list(text())),
      'How the database read its tables, one line each; only with the first of equal statements in ten minutes.',
    ),
    request_id: described(optional(text()), "Null: the service's own work."),
    failed: boolean,
    unlogged: described(integer(0, 2_147_483_647), 'How many more were slow before it: at most 20 in 10 seconds are listed.'),
  },
  'server_slow_statement',
);

const slowStatements = answer<SlowStatementReport>(
  {
    threshold_ms: described(optional(milliseconds), 'The duration from which a statement is listed; null: SLOW_STATEMENT is off.'),
    process: described(text(), 'Whose statements these are: every process of the service lists its own.'),
    statements: described(list(slowStatement), 'The latest first, 100 at most.'),
  },
  'server_slow_statements',
);

export const readSlowStatements = operation({
  id: 'readSlowStatements',
  tag,
  summary: 'The latest statements of this process that took as long as SLOW_STATEMENT says, or longer',
  input: {},
  output: slowStatements,
  open: ['administrators'],
  once: 'never',
  run: ({ deps }) => deps.server.slowStatements(),
});

export const readOpenApi = operation({
  id: 'readOpenApi',
  tag,
  summary: 'This description',
  input: {},
  output: document(),
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller, url }) => deps.server.openApi(caller, url),
});

export const readTypes = operation({
  id: 'readTypes',
  tag,
  summary: 'What you may read, as TypeScript for clients',
  input: {},
  output: text(),
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller }) => deps.server.types(caller),
});

export const readGraphqlSchema = operation({
  id: 'readGraphqlSchema',
  tag,
  summary: 'The GraphQL schema of the items',
  input: { scope: choice(['items', 'system'], 'graphql_sdl_scope') },
  output: text(),
  open: ['everybody'],
  once: 'never',
  run: async ({ deps, caller }, { scope }) => {
    const schema = await deps.server.graphqlSchema(caller, scope);
    // The clients of that wire read such an answer themselves; as plain text it would be read before.
    return caller.view.schema.wire === 'directus' ? new Outcome(schema, { contentType: 'application/graphql' }) : schema;
  },
});

const graphqlAlias = answer<GraphqlAlias>(
  {
    collection: text(),
    field: described(optional(text()), 'Null: the collection itself.'),
    name: described(text(), 'The name in GraphQL.'),
  },
  'server_graphql_alias',
);

export const readGraphqlAliases = operation({
  id: 'readGraphqlAliases',
  tag,
  summary: 'Collections and fields you may read whose GraphQL name differs from their own',
  input: {},
  output: list(graphqlAlias),
  open: ['everybody'],
  once: 'never',
  run: ({ deps, caller }) => deps.server.graphqlAliases(caller),
});

export const completeSetup = operation({
  id: 'completeSetup',
  tag,
  summary: 'Choose how the first administrator signs in, with the code that the service prints when it starts',
  input: {
    code: text(),
    email: text(),
    password: text(),
    project_name: described(optional(text({ maxLength: 255 })), 'The name of the project; left as it is when absent.'),
  },
  output: nothing,
  open: ['everybody'],
  once: 'never',
  // The code is too long to be guessed: the limit of requests is enough.
  run: ({ deps, transaction }, input) => transaction((work) => completeFirstSetup(deps.auth.tables, deps.writer, work, input)),
});

export const serverOperations: readonly Operation[] = [
  ping,
  serverInfo,
  serverHealth,
  serverReady,
  readMetrics,
  readSlowStatements,
  readOpenApi,
  readTypes,
  readGraphqlSchema,
  readGraphqlAliases,
  completeSetup,
];
