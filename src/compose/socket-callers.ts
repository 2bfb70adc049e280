// Queries and mutations that arrive over a WebSocket run as injected HTTP requests. An application that embeds the service names callers by
// their requests and would not recognise these, so the caller of the socket goes with them. Without such an application nothing is tracked,
// since that would make every promise of the process a little slower.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { HostCaller, NamedCaller } from '../service/auth/auth-context.js';

/** Undefined: the token of the request decides. */
interface SocketCaller {
  readonly named: NamedCaller | undefined;
}

const sockets = new AsyncLocalStorage<SocketCaller>();

/** Requests that `act` injects have this caller, whatever the application would name. */
export const asSocketCaller = <T>(named: NamedCaller | undefined, act: () => Promise<T>): Promise<T> => sockets.run({ named }, act);

export function besideSockets(hostCaller: HostCaller | null): HostCaller | null {
  if (hostCaller === null) return null;
  return (request) => {
    const socket = sockets.getStore();
    return socket === undefined ? hostCaller(request) : socket.named;
  };
}
