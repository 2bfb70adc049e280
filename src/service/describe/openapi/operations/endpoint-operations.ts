// Routes that are no operations of the catalogue: the own user, and the two endpoints of GraphQL.

import { may } from '../../../operations/open-rule.js';
import { any, group, listOf, object, open, text } from '../fixed-operation.js';
import { content, data } from '../operation.js';
import { writtenParameters } from '../parameters.js';

const document = object({ query: text, variables: any, operationName: text }, 'query');
const graphqlAnswer = content('application/json', object({ data: any, errors: listOf(any) }));

export const accountOperations = group('account', {
  updateMe: open('users', may('update', 'service_users'))('patch /users/me', 'Update the own user', {
    parameters: [...writtenParameters, 'idempotency'],
    body: any,
    answer: data(any),
  }),
});

export const graphqlOperations = group('graphql', {
  ...endpoint('', '/graphql', 'the items'),
  ...endpoint('System', '/graphql/system', 'everything else'),
});

function endpoint(name: string, path: string, what: string) {
  const everybody = open('everybody');
  return {
    [`query${name}`]: everybody(`get ${path}`, `Ask for ${what} in GraphQL`, {
      parameters: ['document', 'variables'],
      answer: graphqlAnswer,
    }),
    [`operate${name}`]: everybody(`post ${path}`, `Ask for ${what} in GraphQL, or change it`, {
      parameters: ['idempotency'],
      body: document,
      answer: graphqlAnswer,
    }),
  };
}
