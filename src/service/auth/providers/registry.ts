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
} from './provider-settings.js';

export interface ProviderRegistry {
  readonly all: readonly ProviderSettings[];
  /** ROUTE_NOT_FOUND for a name that is no provider of this kind. */
  find<T extends ProviderSettings>(name: string, isOfKind: (settings: ProviderSettings) => settings is T): T;
  /** The names of the providers that could not be reached the last time. */
  readonly away: ReadonlySet<string>;
  /** Runs `work` with the driver and remembers whether the provider could be reached. Throws what the driver throws. */
  readonly ask: Ask<RedirectProviderSettings, RedirectProvider>;
  readonly askDirectory: Ask<LdapSettings, PasswordProvider>;
  readonly askSaml: Ask<SamlSettings, SamlProvider>;
}

type Ask<Settings, Driver> = <T>(settings: Settings, work: (driver: Driver) => Promise<T>) => Promise<T>;

export function openProviders(all: readonly ProviderSettings[]): ProviderRegistry {
  const away = new Set<string>();
  const askSaml = askBy(away, async (settings: SamlSettings) => (await import('./drivers/saml.js')).openSaml(settings));
  const askClient = askBy(away, loadDriver);
  return {
    all,
    away,
    find: (name, isOfKind) => {
      const found = all.find((settings) => settings.name === name);
      if (found === undefined || !isOfKind(found)) throw routeNotFound(`/auth/login/${name}`);
      return found;
    },
    ask: (settings, work) => (isSaml(settings) ? askSaml(settings, work) : askClient(settings, work)),
    askSaml,
    askDirectory: askBy(away, async (settings) => (await import('./drivers/ldap.js')).openLdap(settings)),
  };
}

/** Packages that are installed by those who use them. */
const packages: Partial<Record<ProviderSettings['driver'], string>> = { ldap: 'ldapts', saml: '@node-saml/node-saml' };

/** A line for each provider that cannot work because the package of its driver is not installed. */
export const missingPackages = (all: readonly ProviderSettings[]): readonly string[] =>
  all.flatMap(({ name, driver }) => {
    const needed = packages[driver];
    if (needed === undefined || isInstalled(needed)) return [];
    return [`logins by "${name}" need a package that is not installed: npm install ${needed}`];
  });

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
  away: Set<string>,
  load: (settings: Settings) => Promise<Driver>,
): Ask<Settings, Driver> {
  const drivers = new Map<string, Promise<Driver>>();
  const driverOf = (settings: Settings): Promise<Driver> => {
    const { name } = settings;
    const opening = drivers.get(name) ?? load(settings);
    drivers.set(name, opening);
    return opening.catch((error: unknown) => {
      // What cannot be loaded is tried again.
      drivers.delete(name);
      throw new ProviderAway(name, error);
    });
  };
  return async (settings, work) => {
    try {
      const result = await work(await driverOf(settings));
      away.delete(settings.name);
      return result;
    } catch (error) {
      const cause = awayIn(error);
      if (cause === null) throw error;
      away.add(settings.name);
      throw cause;
    }
  };
}

/** The package wraps what its fetch throws. */
function awayIn(error: unknown): ProviderAway | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderAway) return at;
  return null;
}
