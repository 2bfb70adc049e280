// What the drawer of a person and one's own account are made of: parts with a title, and lists of the ways in.

import { createContext, type ReactNode, useContext } from 'react';
import { relativeText } from '../displays/show-value.js';
import { showToast } from '../primitives/toasts.js';
import { useLanguage, useText } from '../text/use-text.js';
import { useAccessText, useRefreshAccess } from './access-data.js';

export interface Session {
  readonly created: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly current: boolean;
}

export interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly email: string | null;
  readonly last_used: string | null;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
}

interface PartProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** The level of the headings: below that of a drawer, or below that of a page. */
export const PartLevel = createContext<2 | 3>(3);

export function Part({ title, hint, children }: PartProps) {
  const Title = useContext(PartLevel) === 2 ? 'h2' : 'h3';
  return (
    <section className="person-part" aria-label={title}>
      <Title className="part-title">{title}</Title>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Does something, says so, and shows the person as they are then. */
export function useAct(): (act: () => Promise<unknown>, message: string) => Promise<boolean> {
  const text = useText();
  const refresh = useRefreshAccess();
  return async (act, message) => {
    try {
      await act();
      showToast(message);
      return true;
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
      return false;
    } finally {
      await refresh();
    }
  };
}

export function SessionList({ sessions }: { readonly sessions: readonly Session[] }) {
  const access = useAccessText();
  const language = useLanguage();
  return (
    <ul className="sessions">
      {sessions.map(({ created, ip, user_agent, current }) => (
        <li key={`${created} ${user_agent}`}>
          <span className="cut">
            {browserName(user_agent)}
            {current && <span className="badge here">{access.thisSession}</span>}
          </span>
          <span className="hint">
            {ip} · {access.since(relativeText(language, new Date(created)))}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface IdentityListProps {
  readonly identities: readonly Identity[];
  /** What can be done with one. */
  readonly children?: (identity: Identity) => ReactNode;
  /** What people call a provider. */
  readonly labelOf?: (provider: string) => string;
}

export function IdentityList({ identities, children, labelOf = (provider) => provider }: IdentityListProps) {
  const used = useUsed();
  return (
    <ul className="ways">
      {identities.map((identity) => (
        <li key={identity.id}>
          <div>
            <span className="cut">{labelOf(identity.provider)}</span>
            <span className="hint">{[identity.email, used(identity.last_used)].filter(Boolean).join(' · ')}</span>
          </div>
          {children?.(identity)}
        </li>
      ))}
    </ul>
  );
}

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[];
  readonly children: (passkey: Passkey) => ReactNode;
}

export function PasskeyList({ passkeys, children }: PasskeyListProps) {
  const access = useAccessText();
  const { date } = useLanguage();
  const used = useUsed();
  return (
    <ul className="ways">
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <div>
            <span className="cut">{passkey.name}</span>
            <span className="hint">
              {access.added(date.format(new Date(passkey.created)))} · {used(passkey.last_used)}
            </span>
          </div>
          {children(passkey)}
        </li>
      ))}
    </ul>
  );
}

function useUsed(): (time: string | null) => string {
  const access = useAccessText();
  const language = useLanguage();
  return (time) => (time === null ? access.neverUsed : access.lastUsed(relativeText(language, new Date(time))));
}

/** The name of the browser, as far as it says one. */
export function browserName(agent: string | null): string {
  const known = /(?:Edg|Firefox|OPR|HeadlessChrome|Chrome|Safari)\/[\d]+/.exec(agent ?? '')?.[0];
  const system = /Windows|Macintosh|Android|iPhone|iPad|Linux/.exec(agent ?? '')?.[0];
  return [known?.replace('/', ' ').replace('Edg ', 'Edge '), system].filter(Boolean).join(', ') || (agent ?? '–');
}
