// Who makes a request. Without an accountability nothing is visible; internal work states its privilege with `serviceCaller` (view.ts).

import { refusal } from '../errors/refusals.js';
import { forbidden, refusalError } from '../errors/service-error.js';

export interface Accountability {
  readonly user: string | null;
  readonly role: string | null;
  /** The user's role first, then its parents upwards. */
  readonly roles: readonly string[];
  readonly policies: readonly string[];
  readonly admin: boolean;
  readonly app: boolean;
  readonly session: string | null;
  readonly share: { readonly id: string; readonly collection: string; readonly item: string; readonly role: string | null } | null;
  /** The administrator who reads with this caller's rights (`X-View-As`), else null. A caller with a viewer cannot write. */
  readonly viewer: string | null;
  /** The access key that the request carries, which may do less than its owner; null: it carries none. */
  readonly accessKey: CarriedKey | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
}

interface CarriedKey {
  readonly id: string;
  readonly name: string;
  /** False: for reading only. */
  readonly write: boolean;
  /** When it expires, in milliseconds; infinite if it does not. */
  readonly endsAt: number;
}

/** Throws for a viewer, and for an access key that may only read. */
export function refuseReader({ viewer, accessKey }: Pick<Accountability, 'viewer' | 'accessKey'>): void {
  if (viewer !== null) throw forbidden();
  if (accessKey?.write === false) throw refusalError('FORBIDDEN', refusal('reading_key'), { reason: 'The access key is for reading only' });
}

/** What `$CURRENT_USER.path` and `$CURRENT_ROLE.path` resolve to, by the text of the path; fetched on demand. */
export type CallerValues = ReadonlyMap<string, unknown>;
