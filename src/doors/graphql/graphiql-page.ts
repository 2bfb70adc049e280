// GraphiQL, which a browser gets at /graphql. The build bundles it with its packages into dist/; a service that runs from its sources bundles
// it on first use. The page loads nothing from other hosts.

import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addPage, makePage, type Page, readPage, wantsPage } from '../http/answer/page.js';

// The editor measures text with inline styles, and its style sheet contains its fonts. Studio shows the page in a frame.
export const graphiqlPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

export const isPageRequest = (request: FastifyRequest): boolean => wantsPage(request) && !request.url.includes('query=');

export const readGraphiqlPage = (): Page => readPage(new URL('./graphiql/graphiql.html', import.meta.url));

type Bundle = ReadonlyMap<string, Uint8Array>;

const names = ['graphiql.js', 'graphiql.css'];

export function addGraphiqlFiles(app: FastifyInstance): void {
  let loading: Promise<Bundle> | null = null;
  for (const name of names) {
    addPage(app, `/server/graphiql/${name}`, graphiqlPolicy, async () => {
      loading ??= loadBundle();
      return makePage(name, (await loading).get(name) ?? '');
    });
  }
}

async function loadBundle(): Promise<Bundle> {
  const script = new URL('../../../scripts/bundle-graphiql.mjs', import.meta.url);
  const bundled = (name: string): URL => new URL(`./graphiql/bundle/${name}`, import.meta.url);
  if (names.every((name) => existsSync(bundled(name)))) return new Map(names.map((name) => [name, readFileSync(bundled(name))]));
  const { bundleGraphiql } = (await import(script.href)) as { readonly bundleGraphiql: () => Promise<Bundle> };
  return bundleGraphiql();
}
