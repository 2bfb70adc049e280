// GraphQL over HTTP, as the audit of the package graphql-http sees it.

import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';

let service: TestService;
beforeAll(async () => {
  const [vendor] = inject('vendors');
  if (vendor === undefined) throw new Error('no vendor');
  service = await startService(vendor, { area: 'audits' });
});
afterAll(() => service.stop());

it('keeps every MUST; of the SHOULDs it leaves those our clients contradict', async () => {
  const left: string[] = [];
  for (const audit of serverAudits({ url: `${service.url}/graphql` })) {
    const result = await audit.fn();
    if (result.status !== 'ok') left.push(`${result.status}: ${audit.name}`);
  }
  // Clients of the service know an invalid document by its status 400.
  expect(left).toEqual([
    'warn: SHOULD use 200 status code on document parsing failure when accepting application/json',
    'warn: SHOULD use 200 status code on document validation failure when accepting application/json',
    'warn: SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
  ]);
});
