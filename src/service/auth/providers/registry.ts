// The providers of this service. A driver, and the package it needs, is loaded with the first login by it.

import { createRequire } from 'node:module';
import { routeNotFound } from '../../../core/errors/service-error.js';
import { type PasswordProvider, ProviderAway, type RedirectProvider, type SamlProvider } from './provider.js';
import {
  type ClientProviderSettings,
  isSaml,
  type LdapSettings,
  type ProviderSettings,
  type RedirectProviderSettings,
  type SamlSettings,
} from './settings/provider-settings.js';
import { isSameName } from './settings/read-settings.js';
import type { LoadStored } from './stored-providers.js';

export interface ProviderRegistry {
  /** Those of the environment, then those that administrators have added; the environment wins where both have a name. */
  all(): Promise<readonly ProviderSettings[]>;
  /** The last known list, without reading the database. */
  known(): readonly ProviderSettings[];
  /** ROUTE_NOT_FOUND for a name that is no provider of this kind. */
  find<T extends ProviderSettings>(name: string, isOfKind: (settings: ProviderSettings) => settings is T): Promise<T>;
  /** Whether the provider could not be reached at the last attempt. */
  isAway(settings: ProviderSettings): boolean;
  /** Runs `work` with the driver and remembers whether the provider could be reached. Throws what the driver throws. */
  readonly ask: Ask<RedirectProviderSettings, RedirectProvider>;
  readonly askDirectory: Ask<LdapSettings, PasswordProvider>;
  readonly askSaml: Ask<SamlSettings, SamlProvider>;
}

type Ask<Settings, Driver> = <T>(settings: Settings, work: (driver: Driver) => Promise<T>) => Promise<T>;

/** `fixed`: the providers of the environment. */
export function openProviders(fixed: readonly ProviderSettings[], loadStored: LoadStored): ProviderRegistry {
  const away = new WeakSet<ProviderSettings>();
  const askSaml = askBy(away, async (settings: SamlSettings) => (await import('./drivers/saml.js')).openSaml(settings));
  const askClient = askBy(away, loadDriver);
  let known = fixed;
  const all = async (): Promise<readonly ProviderSettings[]> => {
    const added = (await loadStored()).flatMap(({ settings }) => settings ?? []);
    known = [...fixed, ...added.filter(({ name }) => !fixed.some((other) => isSameName(other.name, name)))];
    return known;
  };
  return {
    all,
    known: () => known,
    isAway: (settings) => away.has(settings),
    find: async (name, isOfKind) => {
      const found = (await all()).find((settings) => settings.name === name);
      if (found === undefined || !isOfKind(found)) throw routeNotFound(`/auth/login/${name}`);
      return found;
    },
    ask: (settings, work) => (isSaml(settings) ? askSaml(settings, work) : askClient(settings, work)),
    askSaml,
    askDirectory: askBy(away, async (settings) => (await import('./drivers/ldap.js')).openLdap(settings)),
  };
}

/** Optional packages, which are installed only where they are needed. */
const packages: Partial<Record<ProviderSettings['driver'], string>> = { ldap: 'ldapts', saml: '@node-saml/node-saml' };

/** Why a provider cannot work, if the package of its driver is not installed; null: it can. */
export function missingPackage({ name, driver }: ProviderSettings): string | null {
  const needed = packages[driver];
  if (needed === undefined || isInstalled(needed)) return null;
  return `logins by "${name}" need a package that is not installed: npm install ${needed}`;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function loadDriver(settings: ClientProviderSettings): Promise<RedirectProvider> {
  switch (settings.driver) {
    case 'openid':
      return (await import('./drivers/openid.js')).openOpenid(settings);
    case 'oauth2':
      return (await import('./drivers/oauth2.js')).openOauth2(settings);
  }
}

function askBy<Settings extends ProviderSettings, Driver>(
  away: WeakSet<ProviderSettings>,
  load: (settings: Settings) => Promise<Driver>,
): Ask<Settings, Driver> {
  const drivers = new WeakMap<Settings, Promise<Driver>>();
  const driverOf = (settings: Settings): Promise<Driver> => {
    const opening = drivers.get(settings) ?? load(settings);
    drivers.set(settings, opening);
    return opening.catch((error: unknown) => {
      // The next attempt loads the driver again.
      drivers.delete(settings);
      throw new ProviderAway(settings.name, error);
    });
  };
  return async (settings, work) => {
    try {
      const result = await work(await driverOf(settings));
      away.delete(settings);
      return result;
    } catch (error) {
      const cause = awayIn(error);
      if (cause === null) throw error;
      away.add(settings);
      throw cause;
    }
  };
}

/** Finds the ProviderAway that the fetch of a driver threw: its package wraps the error. */
function awayIn(error: unknown): ProviderAway | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderAway) return at;
  return null;
}
