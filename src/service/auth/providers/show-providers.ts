// The providers as administrators see them: those of the environment, which only the environment can change, and those that are kept. Secrets are
// never shown.

import { missingPackage } from './registry.js';
import { plainName, type WrittenSettings } from './settings/given-settings.js';
import type { ProviderSettings } from './settings/provider-settings.js';
import { isSameName, writtenOf } from './settings/read-settings.js';
import { concealed } from './settings/secret-settings.js';
import { baseOf, type SignOnDeps } from './sign-on.js';

export const providerStates = ['ready', 'away', 'broken', 'overridden'] as const;

interface ShownProvider {
  readonly name: string;
  readonly driver: string;
  readonly label: string;
  readonly source: 'environment' | 'settings';
  readonly state: (typeof providerStates)[number];
  /** What keeps it from working, one line each. */
  readonly problems: readonly string[];
  readonly settings: WrittenSettings;
  /** The address to which the provider sends browsers back; null: it does not. */
  readonly callback: string | null;
  /** The address of the metadata that a SAML identity provider reads. */
  readonly metadata: string | null;
  readonly changed: string | null;
}

export interface ShownProviders {
  /** The address of the service as providers know it. */
  readonly public_url: string;
  readonly providers: readonly ShownProvider[];
}

export async function showProviders(deps: SignOnDeps, url: string): Promise<ShownProviders> {
  const base = baseOf(deps, url);
  const { names, variables } = deps.environment;
  const usable = await deps.providers.all();
  const ofEnvironment = names.map((name): ShownProvider => {
    const settings = usable.find((provider) => provider.name === name) ?? null;
    const written = Object.entries(writtenOf(name, names, variables)).map(([key, value]) => [plainName(key), value] as const);
    return { ...show(deps, base, name, Object.fromEntries(written), settings, []), source: 'environment', changed: null };
  });
  const kept = (await deps.loadStored()).map(({ name, written, settings, problems, changed }): ShownProvider => {
    const shown = show(deps, base, name, written, settings, problems);
    const isOverridden = names.some((other) => isSameName(other, name));
    return { ...shown, source: 'settings', state: isOverridden ? 'overridden' : shown.state, changed };
  });
  return { public_url: base, providers: [...ofEnvironment, ...kept] };
}

function show(
  { providers }: SignOnDeps,
  base: string,
  name: string,
  { DRIVER: driver = '', ...written }: WrittenSettings,
  settings: ProviderSettings | null,
  problems: readonly string[],
): Omit<ShownProvider, 'source' | 'changed'> {
  const missing = settings === null ? null : missingPackage(settings);
  const lines = missing === null ? problems : [...problems, missing];
  const at = `${base}/auth/login/${name}`;
  return {
    ...{ name, driver, label: written['LABEL'] ?? name, problems: lines, settings: concealed(written) },
    state: settings === null || missing !== null ? 'broken' : providers.isAway(settings) ? 'away' : 'ready',
    callback: driver === 'saml' ? `${at}/acs` : driver === 'openid' || driver === 'oauth2' ? `${at}/callback` : null,
    metadata: driver === 'saml' ? `${at}/metadata` : null,
  };
}
