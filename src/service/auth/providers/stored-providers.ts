// The providers that administrators store in the database, cached. They are read again at the first login after a change of the policy
// epoch, so that a change takes effect on every instance without a restart.

import type { RowOf } from '../../../core/schema/system-definition.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { providers } from '../../definitions/accounts.js';
import { createSeal } from '../../secrets/seal.js';
import type { AuthContext } from '../auth-context.js';
import type { WrittenSettings } from './settings/given-settings.js';
import type { ProviderSettings } from './settings/provider-settings.js';
import { readSettings } from './settings/read-settings.js';
import { concealed, isSecret } from './settings/secret-settings.js';

export interface StoredProvider {
  readonly name: string;
  /** Includes secrets in plain text. */
  readonly written: WrittenSettings;
  /** null if the settings are invalid; `problems` says why. */
  readonly settings: ProviderSettings | null;
  readonly problems: readonly string[];
  readonly changed: string;
}

type ProviderRow = RowOf<typeof providers>;

export type LoadStored = () => Promise<readonly StoredProvider[]>;

export function openStoredProviders(context: AuthContext): LoadStored {
  let kept: { readonly epoch: number; readonly all: Promise<readonly StoredProvider[]> } | null = null;
  let last: ReadonlyMap<string, readonly [ProviderRow, StoredProvider]> = new Map();
  const load = async (): Promise<readonly StoredProvider[]> => {
    const rows = await context.tables.providers.read(context.driver, 'all');
    // An unchanged provider keeps its object, because drivers and their state are cached by it.
    last = new Map(
      rows.map((row) => {
        const [before, provider] = last.get(row.name) ?? [];
        const isSame = before?.settings === row.settings && before.secrets === row.secrets && before.changed === row.changed;
        return [row.name, [row, isSame && provider !== undefined ? provider : openRow(context, row)]] as const;
      }),
    );
    return [...last.values()].map(([, provider]) => provider).toSorted((left, right) => left.name.localeCompare(right.name));
  };
  return () => {
    const epoch = context.store.policyEpoch();
    if (kept?.epoch === epoch) return kept.all;
    const all = load();
    kept = { epoch, all };
    all.catch(() => {
      if (kept?.all === all) kept = null;
    });
    return all;
  };
}

export async function readStored(context: AuthContext, connection: Connection): Promise<readonly StoredProvider[]> {
  return (await context.tables.providers.read(connection, 'all')).map((row) => openRow(context, row));
}

const sealOf = ({ options }: AuthContext) => createSeal(options.secret, 'provider settings');

/** The columns that hold the settings of a provider. */
export function closeSettings(context: AuthContext, name: string, written: WrittenSettings): Pick<ProviderRow, 'settings' | 'secrets'> {
  const secrets = Object.fromEntries(Object.entries(written).filter(([key]) => isSecret(key)));
  // The plain settings show which secrets exist, even if the sealed ones cannot be opened.
  return { settings: JSON.stringify(concealed(written)), secrets: sealOf(context).seal(JSON.stringify(secrets), name) };
}

function openRow(context: AuthContext, { name, settings: plain, secrets, changed }: ProviderRow): StoredProvider {
  const opened = sealOf(context).open(secrets, name);
  const written = { ...textsOf(plain), ...(opened === null ? {} : textsOf(opened)) };
  if (opened === null)
    return { name, written, settings: null, problems: ['its secrets were sealed with another SECRET: give them again'], changed };
  const problems: string[] = [];
  const settings = readSettings(name, written, problems);
  return { name, written, settings, problems, changed };
}

/** The row may have been edited by hand and contain anything. */
function textsOf(text: string): WrittenSettings {
  try {
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}
