// Who asks. No accountability means nothing may be seen; internal work states its privilege with the service's own caller.

export interface Accountability {
  readonly user: string | null;
  readonly role: string | null;
  /** Own role first, then its parents upwards. */
  readonly roles: readonly string[];
  readonly policies: readonly string[];
  readonly admin: boolean;
  readonly app: boolean;
  readonly session: string | null;
  readonly share: { readonly id: string; readonly collection: string; readonly item: string; readonly role: string | null } | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
}

/** The caller as an item: what `$CURRENT_USER.path` and `$CURRENT_ROLE.path` resolve against, fetched on demand. */
export type CallerValues = ReadonlyMap<string, unknown>;
