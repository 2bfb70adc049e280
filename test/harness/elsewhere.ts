// A server somewhere else, from which files are fetched.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Elsewhere {
  readonly url: string;
  /** How often it was asked. */
  asked(): number;
  stop(): void;
}

export async function startElsewhere(): Promise<Elsewhere> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/plain' }).end('from elsewhere');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
