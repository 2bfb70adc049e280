// Collects the routes of services that are created meanwhile.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** Routes have the form `post /utils/sort/{collection}`. OPTIONS and HEAD, which every route has, and refused methods are left out. */
export async function watchRoutes<T>(start: () => Promise<T>): Promise<{ readonly result: T; readonly routes: readonly string[] }> {
  const routes = new Set<string>();
  const watch = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (config?.refused === true) return;
      const path = url.replace(/:(\w+)/g, '{$1}');
      for (const name of [method].flat()) if (name !== 'OPTIONS' && name !== 'HEAD') routes.add(`${name.toLowerCase()} ${path}`);
    });
  };
  subscribe('fastify.initialization', watch);
  try {
    return { result: await start(), routes: [...routes] };
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
}
