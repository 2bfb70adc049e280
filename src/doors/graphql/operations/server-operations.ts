// What the service says of itself.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  printSchema,
} from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import { jsonScalar } from '../schema/scalars.js';
import type { Endpoint, SchemaCache } from '../schema/schema-cache.js';
import { isAdministrator, isKnown, type Operation } from './operation.js';

export interface ServerSources {
  health(): Promise<unknown>;
  info(caller: Caller): Promise<unknown>;
  openApi(caller: Caller, url: string): Promise<unknown>;
  readonly schemas: () => SchemaCache;
}

const projectTexts = [
  ...['project_name', 'project_descriptor', 'project_logo', 'project_color', 'default_language', 'default_appearance'],
  ...['default_theme_light', 'default_theme_dark', 'public_foreground', 'public_favicon', 'public_note', 'custom_css'],
];

const project = new GraphQLObjectType({
  name: 'server_info_project',
  fields: {
    ...Object.fromEntries(projectTexts.map((name) => [name, { type: GraphQLString }])),
    theme_light_overrides: { type: jsonScalar },
    theme_dark_overrides: { type: jsonScalar },
    public_background: { type: jsonScalar },
    public_registration: { type: GraphQLBoolean },
    public_registration_verify_email: { type: GraphQLBoolean },
  },
});

const queryLimit = new GraphQLObjectType({
  name: 'server_info_query_limit',
  fields: { default: { type: GraphQLInt }, max: { type: GraphQLInt } },
});

const publicInfo = new GraphQLObjectType({ name: 'server_info', fields: { project: { type: project } } });

const knownInfo = new GraphQLObjectType({
  name: 'server_info',
  fields: {
    project: { type: project },
    version: { type: GraphQLString },
    rateLimit: { type: jsonScalar },
    rateLimitGlobal: { type: jsonScalar },
    websocket: { type: jsonScalar },
    queryLimit: { type: queryLimit },
  },
});

const infoType = (caller: Caller): GraphQLOutputType => (isKnown(caller) ? knownInfo : publicInfo);

const scope = new GraphQLEnumType({ name: 'graphql_sdl_scope', values: { items: {}, system: {} } });

export const serverOperations = (sources: ServerSources): readonly Operation[] => [
  { kind: 'query', name: 'server_ping', type: GraphQLString, run: () => 'pong' },
  { kind: 'query', name: 'server_info', type: infoType, run: ({ caller }) => sources.info(caller) },
  { kind: 'query', name: 'server_health', type: jsonScalar, isOffered: isAdministrator, run: () => sources.health() },
  {
    kind: 'query',
    name: 'server_specs_oas',
    type: jsonScalar,
    run: ({ caller, request }) => sources.openApi(caller, `${request.protocol}://${request.host}`),
  },
  {
    kind: 'query',
    name: 'server_specs_graphql',
    type: GraphQLString,
    args: { scope: { type: new GraphQLNonNull(scope) } },
    run: ({ caller, args }) => printSchema(sources.schemas().get(caller, args['scope'] as Endpoint).schema),
  },
];
