// The rules a document has to keep: those of the standard, and that what can be guessed at (a password, a code) is tried once per request.

import { type ASTVisitor, GraphQLError, KnownTypeNamesRule, recommendedRules, specifiedRules, type ValidationContext } from 'graphql';

/** As the rule of graphql-js, which for every document lists all types there are. */
function knownTypesRule(context: ValidationContext): ASTVisitor {
  return {
    NamedType(node) {
      const name = node.name.value;
      if (!context.getSchema().getType(name)) context.reportError(new GraphQLError(`Unknown type "${name}".`, { nodes: node }));
    },
  };
}

/** Who can change nothing has no type for it. */
function knownOperationsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`There is no ${node.operation} in this schema.`, { nodes: node }));
    },
  };
}

const singleUse: ReadonlySet<string> = new Set([
  ...['auth_login', 'auth_refresh', 'auth_password_request', 'auth_password_reset'],
  ...['users_register', 'users_register_verify', 'users_invite_accept', 'utils_cache_clear'],
  ...['users_me_tfa_generate', 'users_me_tfa_enable', 'users_me_tfa_disable'],
]);

/** Counted over the whole document; a fragment that is spread twice is the same field twice and runs once. */
function singleUseRule(context: ValidationContext): ASTVisitor {
  let used = 0;
  return {
    Field(node) {
      if (!singleUse.has(node.name.value) || context.getParentType() !== context.getSchema().getMutationType()) return;
      used += 1;
      if (used > 1)
        context.reportError(new GraphQLError(`"${node.name.value}" has to stand alone: one such field per request.`, { nodes: node }));
    },
  };
}

export const validationRules = [
  ...[...specifiedRules, ...recommendedRules].filter((rule) => rule !== KnownTypeNamesRule),
  knownTypesRule,
  knownOperationsRule,
  singleUseRule,
];
