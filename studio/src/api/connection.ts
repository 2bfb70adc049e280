// Whether the service answers. While it is unreachable, requests wait and are sent again, and a banner says so; nothing typed is lost.

import { useSyncExternalStore } from 'react';
import { serviceUrl } from './service-url.js';

/** How long a request waits for a service that is away before it fails. */
const patienceMs = 120_000;
const firstPauseMs = 250;
const longestPauseMs = 4000;

let returning: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

function change(next: Promise<boolean> | null): void {
  returning = next;
  for (const listener of listeners) listener();
}

/** Resolves to true when the service answers again, and to false after the longest wait. All waiting requests share one check. */
export function untilBack(): Promise<boolean> {
  if (returning === null) change(pollUntilBack().finally(() => change(null)));
  return returning ?? Promise.resolve(true);
}

async function pollUntilBack(): Promise<boolean> {
  const end = Date.now() + patienceMs;
  for (let pause = firstPauseMs; Date.now() < end; pause = Math.min(pause * 2, longestPauseMs)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (await answers()) return true;
  }
  return false;
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(serviceUrl('/server/info'), { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether requests are waiting for the service at this moment. */
export const useAway = (): boolean => useSyncExternalStore(subscribe, () => returning !== null);
