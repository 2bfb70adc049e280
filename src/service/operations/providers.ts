// The providers to log in by, as administrators keep them. What logins by them do is in sign-in.ts.

import {
  createProvider as create,
  keptDrivers,
  deleteProvider as remove,
  updateProvider as update,
} from '../auth/providers/change-providers.js';
import { findingCodes } from '../auth/providers/provider.js';
import { providerStates, showProviders } from '../auth/providers/show-providers.js';
import { tryProvider as attempt } from '../auth/providers/try-provider.js';
import { type Operation, operation } from './operation.js';
import { boolean, choice, described, document, list, nothing, object, optional, text } from './shape.js';

const providers = { tag: 'auth', open: ['administrators', 'in-person'], once: 'never', secret: true } as const;

const name = text({ maxLength: 64 });
const driver = choice(keptDrivers, 'provider_driver');

const settings = described(
  document(),
  'Settings by the names that variables of the environment have after AUTH_<NAME>_, such as ISSUER_URL and CLIENT_ID. null takes one away. A secret is kept while it is not given, or given as it is answered: **********.',
);

const shownProvider = object(
  {
    name: text(),
    driver: text(),
    label: text(),
    source: described(
      choice(['environment', 'settings']),
      'The environment wins where both have a name, and only it can change its providers.',
    ),
    state: choice(providerStates),
    problems: list(text()),
    settings: described(document(), 'Without secrets.'),
    callback: optional(text()),
    metadata: optional(text()),
    changed: optional(text()),
  },
  { name: 'kept_provider' },
);

export const readKeptProviders = operation({
  ...providers,
  id: 'readKeptProviders',
  summary: 'The providers to log in by, with their settings',
  input: {},
  output: object({ public_url: text(), providers: list(shownProvider) }, { name: 'kept_providers' }),
  run: ({ deps, url }) => showProviders(deps.signOn, url),
});

export const createProvider = operation({
  ...providers,
  id: 'createProvider',
  summary: 'Add a provider to log in by',
  input: { name: described(name, 'Part of its addresses: letters, digits, dashes and underscores.'), driver, settings },
  output: nothing,
  run: ({ deps, caller, client }, input) => create(deps.signOn, caller, input, client),
});

export const updateProvider = operation({
  ...providers,
  id: 'updateProvider',
  summary: 'Change settings of a provider',
  input: { name, settings },
  output: nothing,
  run: ({ deps, caller, client }, input) => update(deps.signOn, caller, input, client),
});

export const deleteProvider = operation({
  ...providers,
  id: 'deleteProvider',
  summary: 'Remove a provider',
  input: { name },
  output: nothing,
  run: ({ deps, caller, client }, input) => remove(deps.signOn, caller, input.name, client),
});

export const tryProvider = operation({
  ...providers,
  id: 'tryProvider',
  summary: 'Try a provider without a login',
  input: {
    name,
    driver: described(optional(driver), 'For a provider that is not kept yet.'),
    settings: described(optional(document()), 'As for a change, to try it before; without them the provider is tried as it is.'),
  },
  output: object(
    {
      works: boolean,
      findings: list(
        object({ level: choice(['good', 'doubtful', 'bad']), code: choice(findingCodes), message: text() }, { name: 'provider_finding' }),
      ),
    },
    { name: 'provider_trial' },
  ),
  run: ({ deps, url }, input) => attempt(deps.signOn, input, url),
});

export const providerOperations: readonly Operation[] = [readKeptProviders, createProvider, updateProvider, deleteProvider, tryProvider];
