// A server from which the service imports files.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RemoteFiles {
  readonly url: string;
  /** The number of requests so far. */
  asked(): number;
  stop(): void;
}

export async function startRemoteFiles(): Promise<RemoteFiles> {
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
