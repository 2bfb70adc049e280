// Over the application when the session ended: the same person signs in again, and what waited goes on. It also prolongs the session while
// somebody works.

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import {
  lastWay,
  leaveStudio,
  markSession,
  type Provider,
  type Providers,
  readProviders,
  renewSession,
  signIn,
  signInBy,
  type Way,
} from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { hasPasskeys, signInByPasskey } from '../api/passkeys.js';
import { watchSession } from '../api/session-watch.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { addressOf, takesPassword } from './providers.js';
import { Labelled, PasswordInput, passkeyFailureOf, refusalOf } from './sign-in-parts.js';

/** How often the session is prolonged. */
const renewEveryMs = 600_000;

export function SessionDialog() {
  const { me } = useStudio().boot;
  const [waiting, setWaiting] = useState<((renewed: boolean) => void) | null>(null);
  useEffect(() => watchSession(() => new Promise((resolve) => setWaiting(() => resolve))), []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') renewSession().catch(() => undefined);
    }, renewEveryMs);
    return () => clearInterval(timer);
  }, []);
  if (waiting === null) return null;
  const finish = async () => {
    const { data } = await request<{ readonly id: string }>('GET', '/users/me', { query: { fields: 'id' }, failFast: true, asSelf: true });
    // Another person may see other things, so the application starts again.
    if (data.id !== me.id) return location.reload();
    setWaiting(null);
    waiting(true);
  };
  return <SignInAgain email={me.email ?? ''} onSignedIn={finish} onLeave={leaveStudio} />;
}

interface SignInAgainProps {
  readonly email: string;
  readonly onSignedIn: () => Promise<void>;
  readonly onLeave: () => Promise<void>;
}

const noProviders: Providers = { data: [], disableDefault: false, passkeys: false };

/** Offers the way in which the person signed in before first. */
function SignInAgain({ email, onSignedIn, onLeave }: SignInAgainProps) {
  const text = useText();
  const [known, setProviders] = useState<Providers | null>(null);
  const [wanted, setWay] = useState<Way>(lastWay);
  useEffect(() => {
    readProviders().then(setProviders, () => setProviders(noProviders));
  }, []);
  const providers = known ?? noProviders;
  const provider = providers.data.find(({ name }) => wanted === `by ${name}`) ?? null;
  const takesPasskeys = providers.passkeys && hasPasskeys();
  const way = provider === null && wanted !== 'password' && !(wanted === 'passkey' && takesPasskeys) ? 'password' : wanted;
  const others: readonly { readonly way: Way; readonly title: string }[] = [
    ...(providers.disableDefault ? [] : [{ way: 'password' as const, title: text.signInByEmail }]),
    ...(takesPasskeys ? [{ way: 'passkey' as const, title: text.signInByPasskey }] : []),
    ...providers.data.map(({ name, label }) => ({ way: `by ${name}` as const, title: text.signInBy(label) })),
  ].filter((other) => other.way !== way);
  return (
    <ModalOverlay className="overlay over-all" isOpen isKeyboardDismissDisabled>
      <Modal>
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title" level={2}>
            {text.sessionEnded}
          </Heading>
          <p>{text.sessionEndedHint}</p>
          {way === 'passkey' && <Again key={way} title={text.signInByPasskey} act={() => signInByPasskey()} onSignedIn={onSignedIn} />}
          {provider !== null && !takesPassword(provider) && <Elsewhere key={way} provider={provider} onSignedIn={onSignedIn} />}
          {known !== null && (way === 'password' || (provider !== null && takesPassword(provider))) && (
            <ByPassword key={way} email={email} directory={provider} onSignedIn={onSignedIn} />
          )}
          {others.map((other) => (
            <button key={other.way} type="button" className="button" onClick={() => setWay(other.way)}>
              {other.title}
            </button>
          ))}
          <button type="button" className="button quiet" onClick={() => void onLeave()}>
            {text.somebodyElse}
          </button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface AgainProps {
  readonly title: string;
  readonly act: () => Promise<void>;
  readonly onSignedIn: () => Promise<void>;
}

function Again({ title, act, onSignedIn }: AgainProps) {
  const text = useText();
  const [refusal, setRefusal] = useState<string | null>(null);
  const run = async () => {
    setRefusal(null);
    try {
      await act();
      await onSignedIn();
    } catch (error) {
      setRefusal(passkeyFailureOf(error, text));
    }
  };
  return (
    <>
      <button type="button" className="button primary" onClick={() => void run()}>
        <Icon name="key" />
        {title}
      </button>
      <p role="alert" className="refusal" hidden={refusal === null}>
        {refusal}
      </p>
    </>
  );
}

/** How often to check whether the login in the other window has succeeded; focusing this window checks at once. */
const pollEveryMs = 3000;

/** Opens the page of the provider in another window, so that what was typed here stays. */
function Elsewhere({ provider, onSignedIn }: { readonly provider: Provider; readonly onSignedIn: () => Promise<void> }) {
  const text = useText();
  const [opened, setOpened] = useState<Window | null>(null);
  const go = useRef(onSignedIn);
  go.current = onSignedIn;
  useEffect(() => {
    if (opened === null) return;
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        await go.current();
        opened.close();
      } catch {
        isLooking = false;
      }
    };
    const timer = setInterval(look, pollEveryMs);
    addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [opened]);
  const open = () => {
    markSession(`by ${provider.name}`);
    setOpened(window.open(addressOf(provider, new URL(document.baseURI).pathname), '_blank'));
  };
  return (
    <>
      <button type="button" className="button primary" onClick={open}>
        {text.signInBy(provider.label)}
      </button>
      {opened !== null && <p role="status">{text.elsewhereHint}</p>}
    </>
  );
}

interface ByPasswordProps {
  readonly email: string;
  /** The directory that checks the password; null: the project itself. */
  readonly directory: Provider | null;
  readonly onSignedIn: () => Promise<void>;
}

function ByPassword({ email, directory, onSignedIn }: ByPasswordProps) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [asksCode, setAsksCode] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const read = (name: string): string => String(new FormData(form.current ?? undefined).get(name) ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setRefusal(null);
    try {
      const code = asksCode ? read('otp') : null;
      if (directory === null) await signIn(email, read('password'), code);
      else await signInBy(directory, read('email'), read('password'), code);
      await onSignedIn();
    } catch (error) {
      const asks = error instanceof ApiError && error.code === 'INVALID_OTP';
      if (!asks || asksCode) setRefusal(refusalOf(error, text));
      setAsksCode(asksCode || asks);
      form.current?.querySelector<HTMLInputElement>(asks ? '[name=otp]' : '[name=password]')?.select();
    } finally {
      setSending(false);
    }
  };
  return (
    <form ref={form} className="stack" onSubmit={(event) => void submit(event)}>
      {directory?.driver === 'ldap' ? (
        <Labelled label={text.userName} name="email" autoComplete="username" required />
      ) : (
        <Labelled label={text.email} name="email" type="email" autoComplete="username" readOnly value={email} />
      )}
      <PasswordInput label={text.password} refused={refusal !== null} autoFocus />
      {asksCode && (
        <Labelled
          label={text.code}
          hint={text.codeHint}
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          required
        />
      )}
      <p role="alert" className="refusal" hidden={refusal === null}>
        {refusal}
      </p>
      <button type="submit" className="button primary" disabled={isSending}>
        {directory === null ? text.signInAgain : text.signInBy(directory.label)}
      </button>
    </form>
  );
}
