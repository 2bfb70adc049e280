// Tests a provider without a login, before or after its settings are stored. Administrators may test addresses of the internal network as
// well, since directories and identity providers are often there. An answer contains codes of the protocol, never the body of a response.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import { readGiven, writtenNow } from './change-providers.js';
import { type Finding, ProviderAway } from './provider.js';
import { missingPackage, openProviders, type ProviderRegistry } from './registry.js';
import { isRedirect, isSaml, type ProviderSettings } from './settings/provider-settings.js';
import { isProviderName, noProviderName } from './settings/read-settings.js';
import { baseOf, reasonOf, type SignOnDeps } from './sign-on.js';

/** The time limit for all requests of a test together. */
const longestMs = 10_000;

export interface Trial {
  readonly works: boolean;
  readonly findings: readonly Finding[];
}

export interface TrialInput {
  readonly name: string;
  /** The driver of a provider that is not stored yet. */
  readonly driver: string | null;
  /** Changes to the settings; null: test the stored ones, or those of the environment. */
  readonly settings: PlainObject | null;
}

export async function tryProvider(deps: SignOnDeps, input: TrialInput, url: string): Promise<Trial> {
  const { settings, registry } = await chosen(deps, input);
  const missing = missingPackage(settings);
  const findings = missing === null ? await find(registry, settings, baseOf(deps, url)) : [bad('PACKAGE_MISSING', missing)];
  return { works: findings.every(({ level }) => level !== 'bad'), findings };
}

/** Settings that are not stored get a driver of their own, so that the test leaves no state behind. */
async function chosen(
  deps: SignOnDeps,
  { name, driver, settings: given }: TrialInput,
): Promise<{ readonly settings: ProviderSettings; readonly registry: ProviderRegistry }> {
  if (given === null) {
    const isKnown = (_settings: ProviderSettings): _settings is ProviderSettings => true;
    return { settings: await deps.providers.find(name, isKnown), registry: deps.providers };
  }
  if (!isProviderName(name)) throw invalidPayload(`"name" is ${noProviderName}.`);
  const before = driver === null ? await writtenNow(deps.auth, deps.auth.driver, name) : { DRIVER: driver };
  const { settings } = readGiven(name, before, given);
  return { settings, registry: openProviders([settings], async () => []) };
}

async function find(registry: ProviderRegistry, settings: ProviderSettings, base: string): Promise<readonly Finding[]> {
  try {
    return await within(longestMs, settings.name, ask(registry, settings, base));
  } catch (error) {
    return [bad(error instanceof ProviderAway ? 'AWAY' : 'REFUSED', reasonOf(error))];
  }
}

async function ask(registry: ProviderRegistry, settings: ProviderSettings, base: string): Promise<readonly Finding[]> {
  if (settings.driver === 'ldap') return registry.askDirectory(settings, (driver) => driver.probe());
  if (!isRedirect(settings)) return [];
  const callback = `${base}/auth/login/${settings.name}/${isSaml(settings) ? 'acs' : 'callback'}`;
  return registry.ask(settings, (driver) => driver.probe(callback));
}

async function within<T>(ms: number, provider: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderAway(provider, new Error(`no answer within ${ms / 1000} s`))), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const bad = (code: Finding['code'], message: string): Finding => ({ level: 'bad', code, message });
