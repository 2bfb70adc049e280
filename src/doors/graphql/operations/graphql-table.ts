// Where GraphQL offers the operations of the service.

import { GraphQLScalarType } from 'graphql';
import * as accessKeys from '../../../service/operations/access-keys.js';
import * as accounts from '../../../service/operations/accounts.js';
import { batch } from '../../../service/operations/batch/batch.js';
import { installExtension, listExtensions, readRegistry } from '../../../service/operations/extensions.js';
import { importFile } from '../../../service/operations/files.js';
import { readManualFlows, replayRun, testFlow, triggerFlow } from '../../../service/operations/flows.js';
import {
  readMe,
  readMyGlobals,
  readMyPermissions,
  readMyPermissionsOnItem,
  readMyRoles,
  trackPage,
  updateMe,
} from '../../../service/operations/own.js';
import * as providers from '../../../service/operations/providers.js';
import {
  completeSetup,
  knownServerInfo,
  ping,
  publicServerInfo,
  readGraphqlAliases,
  readGraphqlSchema,
  readMetrics,
  readOpenApi,
  readSlowStatements,
  readTypes,
  serverHealth,
  serverInfo,
  serverReady,
} from '../../../service/operations/server.js';
import * as shares from '../../../service/operations/shares.js';
import * as signIn from '../../../service/operations/sign-in.js';
import * as signOn from '../../../service/operations/sign-on.js';
import * as changes from '../../../service/operations/structure/changes.js';
import { compareSnapshot, takeSnapshot } from '../../../service/operations/structure/documents.js';
import * as reads from '../../../service/operations/structure/reads.js';
import * as utilities from '../../../service/operations/utilities.js';
import { compareVersion, promoteVersion, saveVersion } from '../../../service/operations/versions.js';
import { jsonScalar, voidScalar } from '../schema/types/scalars.js';
import { outputType } from './draw-shapes.js';
import type { OperationField } from './operation-field.js';

/** What the service says of itself. */
const serverFields: readonly OperationField[] = [
  { operation: ping, kind: 'query', field: 'server_ping' },
  {
    operation: serverInfo,
    kind: 'query',
    field: 'server_info',
    type: ({ accountability }) => outputType(accountability.user === null ? publicServerInfo : knownServerInfo),
  },
  { operation: serverHealth, kind: 'query', field: 'server_health' },
  { operation: serverReady, kind: 'query', field: 'server_ready' },
  { operation: readMetrics, kind: 'query', field: 'server_metrics' },
  { operation: readSlowStatements, kind: 'query', field: 'server_statements_slow' },
  { operation: readOpenApi, kind: 'query', field: 'server_specs_oas' },
  { operation: readTypes, kind: 'query', field: 'server_specs_types' },
  { operation: readGraphqlAliases, kind: 'query', field: 'server_specs_graphql_aliases' },
  { operation: readGraphqlSchema, kind: 'query', field: 'server_specs_graphql' },
  { operation: completeSetup, kind: 'mutation', field: 'server_setup' },
];

/** Signing in and out, accounts, and what a shared link opens. */
const accountFields: readonly OperationField[] = [
  { operation: signIn.readProviders, kind: 'query', field: 'auth_providers' },
  { operation: providers.readKeptProviders, kind: 'query', field: 'auth_kept_providers' },
  { operation: providers.createProvider, kind: 'mutation', field: 'auth_providers_create' },
  { operation: providers.updateProvider, kind: 'mutation', field: 'auth_providers_update' },
  { operation: providers.deleteProvider, kind: 'mutation', field: 'auth_providers_delete' },
  { operation: providers.tryProvider, kind: 'mutation', field: 'auth_providers_try' },
  { operation: signIn.login, kind: 'mutation', field: 'auth_login' },
  { operation: signIn.loginByProvider, kind: 'mutation', field: 'auth_login_by_provider' },
  { operation: signIn.readPasskeyLoginOptions, kind: 'mutation', field: 'auth_passkey_options' },
  { operation: signIn.loginByPasskey, kind: 'mutation', field: 'auth_passkey' },
  { operation: signOn.logoutByProvider, kind: 'mutation', field: 'auth_logout_by_provider' },
  { operation: signOn.resolveRedirect, kind: 'mutation', field: 'utils_resolve_redirect' },
  { operation: signIn.refresh, kind: 'mutation', field: 'auth_refresh' },
  { operation: signIn.logout, kind: 'mutation', field: 'auth_logout' },
  { operation: signIn.requestPasswordReset, kind: 'mutation', field: 'auth_password_request' },
  { operation: signIn.resetPassword, kind: 'mutation', field: 'auth_password_reset' },
  { operation: shares.openShare, kind: 'mutation', field: 'shares_auth' },
  { operation: shares.inviteToShare, kind: 'mutation', field: 'shares_invite' },
  { operation: shares.readShareInfo, kind: 'query', field: 'shares_info' },
  { operation: accounts.register, kind: 'mutation', field: 'users_register' },
  { operation: accounts.verifyEmail, kind: 'mutation', field: 'users_register_verify' },
  { operation: accounts.inviteUsers, kind: 'mutation', field: 'users_invite' },
  { operation: accounts.inviteByLinks, kind: 'mutation', field: 'users_invite_links' },
  { operation: accounts.acceptInvitation, kind: 'mutation', field: 'users_invite_accept' },
  { operation: accounts.generateTfa, kind: 'mutation', field: 'users_me_tfa_generate' },
  { operation: accounts.enableTfa, kind: 'mutation', field: 'users_me_tfa_enable' },
  { operation: accounts.disableTfa, kind: 'mutation', field: 'users_me_tfa_disable' },
  { operation: accounts.readMyPasskeys, kind: 'query', field: 'users_me_passkeys' },
  { operation: accounts.readPasskeyOptions, kind: 'mutation', field: 'users_me_passkeys_options' },
  { operation: accounts.addMyPasskey, kind: 'mutation', field: 'users_me_passkeys_add' },
  { operation: accounts.renameMyPasskey, kind: 'mutation', field: 'users_me_passkeys_rename' },
  { operation: accounts.removeMyPasskey, kind: 'mutation', field: 'users_me_passkeys_remove' },
  { operation: accounts.readPasskeys, kind: 'query', field: 'users_passkeys' },
  { operation: accounts.removePasskeyOf, kind: 'mutation', field: 'users_passkeys_remove' },
  { operation: accessKeys.readMyKeys, kind: 'query', field: 'users_me_keys' },
  { operation: accessKeys.makeMyKey, kind: 'mutation', field: 'users_me_keys_make' },
  { operation: accessKeys.renameMyKey, kind: 'mutation', field: 'users_me_keys_rename' },
  { operation: accessKeys.revokeMyKey, kind: 'mutation', field: 'users_me_keys_revoke' },
  { operation: accessKeys.readKeys, kind: 'query', field: 'users_all_keys' },
  { operation: accessKeys.readKeysOf, kind: 'query', field: 'users_keys' },
  { operation: accessKeys.revokeKeyOf, kind: 'mutation', field: 'users_keys_revoke' },
  { operation: accounts.readMySessions, kind: 'query', field: 'users_me_sessions' },
  { operation: accounts.endMySessions, kind: 'mutation', field: 'users_me_sessions_end' },
  { operation: accounts.readMyIdentities, kind: 'query', field: 'users_me_identities' },
  { operation: accounts.removeMyIdentity, kind: 'mutation', field: 'users_me_identities_remove' },
  { operation: accounts.readIdentities, kind: 'query', field: 'users_identities' },
  { operation: accounts.removeIdentityOf, kind: 'mutation', field: 'users_identities_remove' },
  { operation: accounts.readSessions, kind: 'query', field: 'users_sessions' },
  { operation: accounts.endSessions, kind: 'mutation', field: 'users_sessions_end' },
  { operation: accounts.disableTfaOf, kind: 'mutation', field: 'users_tfa_disable' },
];

const permissions = new GraphQLScalarType({
  name: 'permissions_me_type',
  description: 'Per collection and action: none, some items, or all of them, and which fields.',
});

/** What callers may know and do about themselves. */
const ownFields: readonly OperationField[] = [
  { operation: readMe, kind: 'query', field: 'users_me', selects: { collection: 'service_users', list: false } },
  {
    operation: updateMe,
    kind: 'mutation',
    field: 'update_users_me',
    updates: 'service_users',
    selects: { collection: 'service_users', list: false },
    without: ['match'],
  },
  { operation: readMyRoles, kind: 'query', field: 'roles_me', selects: { collection: 'service_roles', list: true } },
  { operation: readMyGlobals, kind: 'query', field: 'policies_me_globals' },
  { operation: readMyPermissions, kind: 'query', field: 'permissions_me', type: permissions },
  { operation: readMyPermissionsOnItem, kind: 'query', field: 'permissions_me_item' },
  { operation: trackPage, kind: 'mutation', field: 'users_me_track_page' },
];

/** What versions have besides their items. */
const versionFields: readonly OperationField[] = [
  { operation: compareVersion, kind: 'query', field: 'versions_compare' },
  { operation: saveVersion, kind: 'mutation', field: 'versions_save' },
  { operation: promoteVersion, kind: 'mutation', field: 'versions_promote', type: jsonScalar },
];

/** The tools of the service, and operations that move many items at once. Imports of files travel over REST: bytes are no GraphQL values. */
const utilityFields: readonly OperationField[] = [
  { operation: utilities.randomString, kind: 'mutation', field: 'utils_random_string' },
  { operation: utilities.generateHash, kind: 'mutation', field: 'utils_hash_generate' },
  { operation: utilities.verifyHash, kind: 'mutation', field: 'utils_hash_verify' },
  { operation: utilities.sortItems, kind: 'mutation', field: 'utils_sort' },
  { operation: utilities.revert, kind: 'mutation', field: 'utils_revert' },
  { operation: utilities.tryMail, kind: 'mutation', field: 'utils_mail_test' },
  { operation: utilities.clearCache, kind: 'mutation', field: 'utils_cache_clear', type: voidScalar },
  { operation: utilities.explainAccess, kind: 'query', field: 'utils_access_explain' },
  { operation: utilities.exportItems, kind: 'mutation', field: 'utils_export' },
  { operation: utilities.importCollections, kind: 'mutation', field: 'utils_import' },
  { operation: triggerFlow, kind: 'mutation', field: 'flows_trigger' },
  { operation: readManualFlows, kind: 'query', field: 'flows_manual' },
  { operation: testFlow, kind: 'mutation', field: 'flows_test' },
  { operation: replayRun, kind: 'mutation', field: 'runs_replay' },
  { operation: listExtensions, kind: 'query', field: 'extensions' },
  { operation: readRegistry, kind: 'query', field: 'extensions_registry' },
  { operation: installExtension, kind: 'mutation', field: 'extensions_install' },
  { operation: batch, kind: 'mutation', field: 'batch' },
];

const changing = (field: string, { operation }: changes.StructureChange): OperationField => ({ operation, kind: 'mutation', field });

/** Collections, fields, relations and indexes, and the structure as a document. */
const structureFields: readonly OperationField[] = [
  { operation: reads.listCollections, kind: 'query', field: 'collections' },
  { operation: reads.readCollection, kind: 'query', field: 'collections_by_name' },
  { operation: reads.listFields, kind: 'query', field: 'fields' },
  { operation: reads.listFieldsOf, kind: 'query', field: 'fields_in_collection' },
  { operation: reads.readField, kind: 'query', field: 'fields_by_name' },
  { operation: reads.listRelations, kind: 'query', field: 'relations' },
  { operation: reads.listRelationsOf, kind: 'query', field: 'relations_in_collection' },
  { operation: reads.readRelation, kind: 'query', field: 'relations_by_name' },
  { operation: reads.listSuggestedRelations, kind: 'query', field: 'utils_relations_suggest' },
  { operation: reads.listIndexes, kind: 'query', field: 'indexes' },
  { operation: reads.listIndexesOf, kind: 'query', field: 'indexes_in_collection' },
  { operation: reads.readIndex, kind: 'query', field: 'indexes_by_name' },
  changing('create_collections_item', changes.createCollection),
  changing('update_collections_item', changes.updateCollection),
  changing('update_collections_items', changes.updateCollections),
  changing('delete_collections_item', changes.deleteCollection),
  changing('create_fields_item', changes.createField),
  changing('update_fields_item', changes.updateField),
  changing('update_fields_items', changes.updateFields),
  changing('delete_fields_item', changes.deleteField),
  changing('create_relations_item', changes.createRelation),
  changing('update_relations_item', changes.updateRelation),
  changing('delete_relations_item', changes.deleteRelation),
  changing('create_indexes_item', changes.createIndex),
  changing('delete_indexes_item', changes.deleteIndex),
  changing('schema_apply', changes.applySnapshot),
  changing('schema_changes', changes.changeStructure),
  { operation: changes.previewStructure, kind: 'query', field: 'structure_preview' },
  { operation: takeSnapshot, kind: 'query', field: 'schema_snapshot' },
  { operation: compareSnapshot, kind: 'query', field: 'schema_diff' },
];

/** Files from elsewhere, fetched by the service. Contents themselves travel over REST. */
const fileFields: readonly OperationField[] = [
  { operation: importFile, kind: 'mutation', field: 'import_file', selects: { collection: 'service_files', list: false, written: true } },
];

export const graphqlTable: readonly OperationField[] = [
  ...serverFields,
  ...accountFields,
  ...ownFields,
  ...versionFields,
  ...utilityFields,
  ...structureFields,
  ...fileFields,
];
