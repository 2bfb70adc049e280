// A service with SAML providers, all of them one that a test can make lie, and logins as a browser makes them.

import { expect } from 'vitest';
import type { Browser, Visited } from './browser.js';
import { formOf, type SamlForm, type SamlLies, startSamlProvider } from './saml-provider.js';
import { openBrowser, providerVariables, publicUrl, startOf, storedAccounts } from './sign-on.js';
import { startService, type TestService } from './start-service.js';
import type { Vendor } from './vendors.js';

export interface SamlLogins {
  readonly provider: Awaited<ReturnType<typeof startSamlProvider>>;
  readonly service: TestService;
  /** Sends the form as a browser does: it comes from another site, and a page of the service sends it again. */
  bring(browser: Browser, form: SamlForm): Promise<Visited>;
  logIn(name?: string, parameters?: Readonly<Record<string, string>>): Promise<SamlLogin>;
  /** Refused by the one answer, and nothing is stored. */
  expectRefused(lies: SamlLies, name?: string): Promise<void>;
  stop(): Promise<void>;
}

interface SamlLogin {
  readonly browser: Browser;
  readonly form: SamlForm;
  readonly answer: Visited;
}

type SamlVariables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `variables`: AUTH_<NAME>_… by the name, besides those that each has. */
export async function startSamlLogins(vendor: Vendor, area: string, variables: SamlVariables): Promise<SamlLogins> {
  const provider = await startSamlProvider();
  const common = { DRIVER: 'saml', IDP_metadata: provider.metadata };
  const authVariables = Object.assign(
    {},
    ...Object.entries(variables).map(([name, settings]) => providerVariables(name, { ...common, ...settings })),
  );
  const service = await startService(vendor, { area, config: { publicUrl, authProviders: Object.keys(variables), authVariables } });
  const logins: SamlLogins = {
    provider,
    service,
    async bring(browser, { action, fields }) {
      const page = await browser.ask(action, { form: fields, from: provider.url });
      const again = formOf(page);
      return browser.ask(again.action, { form: again.fields, from: publicUrl });
    },
    async logIn(name = 'company', parameters = {}) {
      const browser = openBrowser(service);
      const form = await provider.logIn(browser, startOf(name, parameters));
      return { browser, form, answer: await logins.bring(browser, form) };
    },
    async expectRefused(lies, name = 'company') {
      provider.lies = lies;
      const before = await storedAccounts(service);
      const { answer, browser } = await logins.logIn(name, { redirect: '/after' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/after?reason=INVALID_CREDENTIALS']);
      expect(browser.cookieNames(publicUrl)).toEqual([]);
      expect(await storedAccounts(service)).toEqual(before);
    },
    async stop() {
      await service.stop();
      await provider.stop();
    },
  };
  return logins;
}
