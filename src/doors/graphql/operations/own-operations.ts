// What callers may know and do about themselves, besides reading and updating their own item.

import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLScalarType, GraphQLString } from 'graphql';
import type { AuthContext } from '../../../service/auth/auth-context.js';
import type { Authenticator } from '../../../service/auth/authenticate.js';
import { ownKey, trackPage } from '../../../service/auth/own-account.js';
import { permissionsOfCaller } from '../../../service/auth/permissions-of-caller.js';
import { type FindItem, permissionsOnItem } from '../../../service/auth/permissions-on-item.js';
import { disableCodes, disableCodesOf, enableCodes, generateCodeSecret } from '../../../service/auth/two-factor.js';
import { jsonScalar } from '../schema/scalars.js';
import { isAdministrator, isKnown, type Operation, type OperationCall } from './operation.js';

export interface OwnSources {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  readonly findItem: FindItem;
}

const given = { type: new GraphQLNonNull(GraphQLString) };

const permissions = new GraphQLScalarType({
  name: 'permissions_me_type',
  description: 'Per collection and action: none, some items, or all of them, and which fields.',
});

const globals = new GraphQLObjectType({
  name: 'policies_me_globals_type',
  fields: { enforce_tfa: { type: GraphQLBoolean }, app_access: { type: GraphQLBoolean }, admin_access: { type: GraphQLBoolean } },
});

const secret = new GraphQLObjectType({
  name: 'users_me_tfa_generate_data',
  fields: { secret: { type: GraphQLString }, otpauth_url: { type: GraphQLString } },
});

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

/** The own user and the own roles, for whom may read such items. */
const ownItems: readonly Operation[] = [
  {
    kind: 'query',
    name: 'users_me',
    reads: 'service_users',
    type: (_caller, drawing) => drawing.object('service_users'),
    isOffered: (_caller, drawing) => drawing.find('service_users', 'read') !== null,
    run: ({ caller }) => ownKey(caller),
  },
  {
    kind: 'query',
    name: 'roles_me',
    reads: 'service_roles',
    type: (_caller, drawing) => listOf(drawing.object('service_roles')),
    isOffered: (_caller, drawing) => drawing.find('service_roles', 'read') !== null,
    run: ({ caller }) => {
      ownKey(caller);
      return caller.accountability.roles;
    },
  },
];

export const ownOperations = ({ auth, authenticator, findItem }: OwnSources): readonly Operation[] => [
  ...ownItems,
  { kind: 'query', name: 'permissions_me', type: permissions, isOffered: isKnown, run: ({ caller }) => permissionsOfCaller(caller) },
  {
    kind: 'query',
    name: 'permissions_me_item',
    type: jsonScalar,
    args: { collection: given, id: { type: GraphQLID } },
    run: ({ caller, args }) => permissionsOnItem(findItem, caller, String(args['collection']), segmentOf(args['id'])),
  },
  { kind: 'query', name: 'policies_me_globals', type: globals, isOffered: isKnown, run: ({ caller }) => authenticator.globals(caller) },
  {
    kind: 'mutation',
    name: 'users_me_tfa_generate',
    type: secret,
    args: { password: given },
    isOffered: isKnown,
    run: ({ caller, args }) => generateCodeSecret(auth, caller, args),
  },
  done('users_me_tfa_enable', { secret: given, otp: given }, ({ caller, args }) => enableCodes(auth, caller, args)),
  done('users_me_tfa_disable', { otp: given }, ({ caller, args }) => disableCodes(auth, caller, args)),
  done('users_me_track_page', { last_page: given }, ({ caller, args }) => trackPage(auth, caller, args)),
  {
    ...done('users_tfa_disable', { id: { type: new GraphQLNonNull(GraphQLID) } }, ({ caller, args }) =>
      disableCodesOf(auth, caller, String(args['id'])),
    ),
    isOffered: isAdministrator,
  },
];

const segmentOf = (id: unknown): string | null => (typeof id === 'string' ? encodeURIComponent(id) : null);

function done(name: string, args: NonNullable<Operation['args']>, act: (call: OperationCall) => Promise<unknown>): Operation {
  const run = async (call: OperationCall): Promise<true> => {
    await act(call);
    return true;
  };
  return { kind: 'mutation', name, type: GraphQLBoolean, args, isOffered: isKnown, run };
}
