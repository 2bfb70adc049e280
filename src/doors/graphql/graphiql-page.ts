// GraphiQL for people: /graphql asked for by a browser. The files come from the packages graphiql and react, copied beside this one by
// the build; nothing is fetched from elsewhere. Read on first use: most services never show it.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Served name → where the package keeps it. scripts/build.mjs copies the same files. */
const files = {
  'react.js': { from: 'react/umd/react.production.min.js', type: 'text/javascript; charset=utf-8' },
  'react-dom.js': { from: 'react-dom/umd/react-dom.production.min.js', type: 'text/javascript; charset=utf-8' },
  'graphiql.js': { from: 'graphiql/graphiql.min.js', type: 'text/javascript; charset=utf-8' },
  'graphiql.css': { from: 'graphiql/graphiql.min.css', type: 'text/css; charset=utf-8' },
} as const;

type FileName = keyof typeof files;

// The editor measures text with inline styles and brings its fonts in its style sheet.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

export const isPageRequest = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !url.includes('query=');

export function sendGraphiql(reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', vary: 'Accept' })
    .type('text/html; charset=utf-8')
    .send(page);
}

export function addGraphiqlFiles(app: FastifyInstance): void {
  for (const name of Object.keys(files) as FileName[]) addFile(app, name, files[name].type, () => readFileSync(placeOf(name)));
  addFile(app, 'start.js', 'text/javascript; charset=utf-8', () => Buffer.from(start));
}

/** Answered before the token is looked at, as every page is. */
function addFile(app: FastifyInstance, name: string, type: string, read: () => Buffer): void {
  app.route({
    method: 'GET',
    url: `/server/graphiql/${name}`,
    onRequest: (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600').type(type).send(read());
    },
    handler: async () => '',
  });
}

function placeOf(name: FileName): string | URL {
  const copied = new URL(`./graphiql/${name}`, import.meta.url);
  return existsSync(copied) ? copied : createRequire(import.meta.url).resolve(files[name].from);
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Tain</title>
<link rel="icon" href="/server/page/icon.svg">
<link rel="stylesheet" href="/server/graphiql/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0 }</style>
</head>
<body>
<div id="graphiql">Loading GraphiQL …</div>
<script src="/server/graphiql/react.js"></script>
<script src="/server/graphiql/react-dom.js"></script>
<script src="/server/graphiql/graphiql.js"></script>
<script src="/server/graphiql/start.js"></script>
</body>
</html>
`;

const start = `const fetcher = GraphiQL.createFetcher({ url: location.pathname });
const defaultQuery = '# Ask for anything this page may see. To ask as somebody, log in on the front page,\\n# or set the header {"Authorization": "Bearer <token>"} below.\\n\\n{\\n  __typename\\n}\\n';
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, { fetcher, defaultQuery }));
`;
