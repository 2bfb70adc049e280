// With whose rights an operation works. Each operation asks again, so that it has the rights of this moment. Without a starter it has those of
// the public, never all of them.

import { type Caller, serviceCaller } from '../../../core/access/view.js';
import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import { forbidden, invalidPayload } from '../../../core/errors/service-error.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { ClientFacts } from '../../auth/auth-context.js';
import type { Authenticator } from '../../auth/session/authenticate.js';
import type { RunScope } from './scope.js';

export interface RightsDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'authenticateUser' | 'ofAccessKey' | 'ofRole'>;
  readonly connection: Connection;
  readonly store: Pick<SchemaStore, 'current'>;
}

/** `permissions` as an operation states them: `$trigger` (the default), `$public`, `$full`, or the id of a role. */
export async function callerFor(deps: RightsDeps, permissions: unknown, scope: RunScope): Promise<Caller> {
  const { authenticator, store } = deps;
  const { starter } = scope;
  const client = clientOf(starter);
  switch (permissions ?? '$trigger') {
    case '$trigger':
    case '':
      return presentRights(deps, scope, client);
    case '$public':
      return authenticator.authenticate(null, client, 'anything');
    case '$full':
      return serviceCaller(store.current());
  }
  if (typeof permissions !== 'string') throw invalidPayload('"permissions" has to be "$trigger", "$public", "$full" or the id of a role.');
  const caller = await authenticator.ofRole(permissions, client);
  if (caller === null) throw forbidden();
  return caller;
}

/** A guest of a share, a viewer, and the author of a write that waits are known already. */
async function presentRights(
  { authenticator, connection }: RightsDeps,
  { starter, write }: RunScope,
  client: ClientFacts,
): Promise<Caller> {
  if (starter === null) return authenticator.authenticate(null, client, 'anything');
  const { user, share, viewer, admin, accessKey } = starter.accountability;
  if (write !== null || share !== null || viewer !== null) return starter;
  if (accessKey !== null) {
    const caller = await authenticator.ofAccessKey(accessKey.id, connection, client);
    if (caller === null) throw forbidden();
    return caller;
  }
  if (user !== null) return authenticator.authenticateUser(user, client, 'anything');
  // The service itself, which wrote what the run follows from, starts nothing in its own name.
  return admin ? authenticator.authenticate(null, client, 'anything') : starter;
}

const clientOf = (caller: Caller | null): ClientFacts => ({
  ip: caller?.accountability.ip ?? '',
  userAgent: caller?.accountability.userAgent ?? null,
  origin: caller?.accountability.origin ?? null,
});
