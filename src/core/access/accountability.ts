// Who makes a request. Without an accountability nothing is visible; internal work states its privilege with `serviceCaller` (view.ts).

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
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
}

/** What `$CURRENT_USER.path` and `$CURRENT_ROLE.path` resolve to, by the text of the path; fetched on demand. */
export type CallerValues = ReadonlyMap<string, unknown>;
