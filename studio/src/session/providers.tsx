// Logging in by a provider: those that a browser is sent to are links, a directory asks for its name and password in the form.

import { markSession, type Provider } from '../api/boot.js';
import { serviceUrl } from '../api/service-url.js';
import { useText } from '../text/use-text.js';

interface ProvidersProps {
  readonly providers: readonly Provider[];
  /** The directory that the form asks for; null: the project itself. */
  readonly chosen: Provider | null;
  /** False: the project itself takes no passwords. */
  readonly hasPassword: boolean;
  /** Without it, a link to the provider that asks for a one-time code has none to pass on. */
  readonly code: () => string | null;
  readonly onChoose: (provider: Provider | null) => void;
}

export const takesPassword = ({ driver }: Provider): boolean => driver === 'ldap' || driver === 'local';

export function Providers({ providers, chosen, hasPassword, code, onChoose }: ProvidersProps) {
  const text = useText();
  const others = providers.filter((provider) => provider !== chosen);
  if (others.length === 0 && (chosen === null || !hasPassword)) return null;
  return (
    <div className="entry-providers">
      {others.map((provider) => (
        <button
          key={provider.name}
          className="button"
          type="button"
          onClick={() => (takesPassword(provider) ? onChoose(provider) : goTo(provider, code()))}
        >
          {text.signInBy(provider.label)}
        </button>
      ))}
      {chosen !== null && hasPassword && (
        <button className="button" type="button" onClick={() => onChoose(null)}>
          {text.signInByEmail}
        </button>
      )}
    </div>
  );
}

/** Sends the browser to the provider, which leads back to this page, signed in or with a reason. */
function goTo(provider: Provider, code: string | null): void {
  const url = addressOf(provider, location.pathname + location.search);
  if (code !== null && code !== '') url.searchParams.set('otp', code);
  markSession(`by ${provider.name}`);
  location.assign(url);
}

/** Where a login by a provider begins that a browser is sent to. */
export function addressOf({ name }: Provider, redirect: string): URL {
  const url = serviceUrl(`/auth/login/${encodeURIComponent(name)}`);
  url.searchParams.set('redirect', redirect);
  return url;
}
