// Every path answers OPTIONS with the methods it takes, in the order clients know.

import type { FastifyInstance } from 'fastify';

const order = ['POST', 'SEARCH', 'QUERY', 'GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'];

export function answerOptions(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat().filter((method) => method !== 'OPTIONS');
    if (methods.length === 0 || route.config?.refused === true) return;
    const known = methodsByPath.get(route.url);
    const all = known ?? new Set<string>();
    for (const method of methods) all.add(method);
    if (known !== undefined) return;
    methodsByPath.set(route.url, all);
    app.options(route.url, (_request, reply) => {
      const list = order.filter((method) => all.has(method)).join(',');
      return reply.header('allow', list).type('text/plain; charset=utf-8').send(list);
    });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that only refuses: OPTIONS does not name its methods. */
    refused?: boolean;
  }
}
