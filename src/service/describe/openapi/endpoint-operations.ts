// The two endpoints of GraphQL. They are ways to operations rather than operations, so the catalogue does not have them.

import { any, group, listOf, object, open, text } from './fixed-operation.js';
import { content } from './operation.js';

const document = object({ query: text, variables: any, operationName: text }, 'query');
const graphqlAnswer = content('application/json', object({ data: any, errors: listOf(any) }));

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
