// Makes flows through the API, as an administrator would, and waits for their runs.

import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestService } from './start-service.js';

export interface Operation {
  readonly key: string;
  readonly type: string;
  readonly options?: unknown;
}

export interface RunRow {
  readonly id: string;
  readonly flow: string;
  readonly status: string;
  readonly attempt: number;
  readonly user: string | null;
  readonly due: string | null;
  readonly trigger: { readonly key?: number };
  readonly steps: unknown;
  readonly error: unknown;
}

export const place = { position_x: 1, position_y: 1 };

export async function made(service: TestService, path: string, body: unknown): Promise<{ readonly id: string }> {
  const answer = await service.api.post(path, body);
  expect([path, answer.status, answer.body?.errors]).toEqual([path, 200, undefined]);
  return answer.body.data;
}

/** A collection with a generated key and a text. */
export async function makeNotes(service: TestService, collection: string): Promise<void> {
  const fields = [
    { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
    { field: 'text', type: 'string', schema: {} },
  ];
  await made(service, '/collections', { collection, schema: {}, fields });
}

/** A flow of operations one after the other. */
export async function makeFlow(
  service: TestService,
  flow: object,
  operations: readonly Operation[],
): Promise<{ readonly id: string; readonly ids: readonly string[] }> {
  const { id } = await made(service, '/flows', { name: 'flow', status: 'active', accountability: null, ...flow });
  const ids: string[] = [];
  for (const operation of operations.toReversed()) {
    const resolve = ids[0] ?? null;
    ids.unshift((await made(service, '/operations', { ...place, flow: id, resolve, ...operation })).id);
  }
  await service.api.patch(`/flows/${id}`, { operation: ids[0] });
  return { id, ids };
}

/** The runs of a flow, once there are as many and all of them have ended. */
export async function endedRuns(service: TestService, flow: string, wanted: number): Promise<readonly RunRow[]> {
  const until = Date.now() + 30_000;
  for (;;) {
    const { data } = (await service.api.get(`/runs?filter[flow][_eq]=${flow}&sort=created&limit=-1`)).body;
    if ((data.length >= wanted && data.every((run: RunRow) => run.due === null)) || Date.now() > until) return data;
    await pause(50);
  }
}
