// What the service tells of itself.

import { any, group, listOf, open, text } from '../fixed-operation.js';
import { content, data } from '../operation.js';

const everybody = open('everybody');
const sdl = content('text/plain', text);

export const serverOperations = group('server', {
  ping: everybody('get /server/ping', 'Whether the service is there', { answer: content('text/plain', text) }),
  serverInfo: everybody('get /server/info', 'What this service is', { answer: data(any) }),
  serverHealth: open('administrators')('get /server/health', 'Whether the service is well', {
    answer: content('application/health+json', any),
  }),
  readOpenApi: everybody('get /server/specs/oas', 'This description', { answer: content('application/json', any) }),
  readGraphqlSchema: everybody('get /server/specs/graphql', 'The GraphQL schema of the items', { answer: sdl }),
  readSystemGraphqlSchema: everybody('get /server/specs/graphql/system', 'The GraphQL schema of everything else', { answer: sdl }),
  listExtensions: open('administrators')('get /extensions', 'Extensions; there are none', { answer: data(listOf(any)) }),
});
