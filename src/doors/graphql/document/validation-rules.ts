// The validation rules of a document: those of the standard, and one that allows a single attempt per request at what can be guessed, such
// as a password or a code.

import { type ASTVisitor, GraphQLError, KnownTypeNamesRule, recommendedRules, specifiedRules, type ValidationContext } from 'graphql';

/** Replaces the rule of graphql-js, which lists all types of the schema for every document. */
function knownTypesRule(context: ValidationContext): ASTVisitor {
  return {
    NamedType(node) {
      const name = node.name.value;
      if (!context.getSchema().getType(name)) context.reportError(new GraphQLError(`Unknown type "${name}".`, { nodes: node }));
    },
  };
}

/** The schema of a caller who may change nothing has no mutation type. */
function knownOperationsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`There is no ${node.operation} in this schema.`, { nodes: node }));
    },
  };
}

const singleUse: ReadonlySet<string> = new Set([
  ...['auth_login', 'auth_login_by_provider', 'auth_refresh', 'auth_password_request', 'auth_password_reset'],
  ...['users_register', 'users_register_verify', 'users_invite_accept', 'utils_cache_clear'],
  ...['users_me_tfa_generate', 'users_me_tfa_enable', 'users_me_tfa_disable'],
  ...['auth_passkey', 'users_me_passkeys_options', 'users_me_passkeys_add', 'users_me_keys_make'],
]);

/** Counts fields of the whole document. A fragment that is spread twice counts once, as it runs once. */
function singleUseRule(context: ValidationContext): ASTVisitor {
  let used = 0;
  return {
    Field(node) {
      if (!singleUse.has(node.name.value) || context.getParentType() !== context.getSchema().getMutationType()) return;
      used += 1;
      if (used > 1)
        context.reportError(new GraphQLError(`"${node.name.value}" has to be the only such field of a request.`, { nodes: node }));
    },
  };
}

export const validationRules = [
  ...[...specifiedRules, ...recommendedRules].filter((rule) => rule !== KnownTypeNamesRule),
  knownTypesRule,
  knownOperationsRule,
  singleUseRule,
];
