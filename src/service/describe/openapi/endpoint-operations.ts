// Routes that are no operations of the catalogue: the two endpoints of GraphQL, and the contents of files.

import { may } from '../../operations/open-rule.js';
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

const imageParameters = ['width', 'height', 'fit', 'format', 'quality', 'withoutEnlargement', 'key', 'download'];

export const fileOperations = group('service_files', {
  readAsset: open(may('read', 'service_files'))('get /assets/{id}', 'The content of a file, as it is or transformed', {
    parameters: imageParameters,
    answer: content('*/*', {}),
  }),
});
