// The sign-in form: email and password first, then the one-time code when the account asks for it. A refusal is announced once, and the focus
// goes to the field to correct.

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Provider, type Providers as ProviderList, requestReset, signIn, signInBy } from '../api/boot.js';
import { ApiError } from '../api/client.js';
import { hasPasskeys, offerPasskeys, signInByPasskey } from '../api/passkeys.js';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { EntryCard } from './entry-card.js';
import { Providers, takesPassword } from './providers.js';
import { failureOf, Labelled, PasswordInput, passkeyFailureOf, refusalOf } from './sign-in-parts.js';

type Attempt =
  | { readonly kind: 'idle' | 'sending' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'notice'; readonly message: string };

interface SignInProps {
  readonly project: string;
  /** Whether somebody has set up the first administrator. */
  readonly isSetUp: boolean;
  readonly providers: ProviderList;
  /** The code of a login by a provider that failed; null: none did. */
  readonly failure: string | null;
  readonly onSignedIn: () => Promise<void>;
}

export function SignIn({ project, isSetUp, providers, failure, onSignedIn }: SignInProps) {
  const text = useText();
  const [attempt, setAttempt] = useState<Attempt>(
    failure === null ? { kind: 'idle' } : { kind: 'refused', message: failureOf(failure, text) },
  );
  const [asksCode, setAsksCode] = useState(failure === 'INVALID_OTP');
  const hasPassword = !providers.disableDefault;
  const [directory, setDirectory] = useState<Provider | null>(hasPassword ? null : (providers.data.find(takesPassword) ?? null));
  const hasForm = hasPassword || directory !== null;
  const form = useRef<HTMLFormElement>(null);
  const read = (name: string): string => String(new FormData(form.current ?? undefined).get(name) ?? '');
  /** If the form is still shown after `onSignedIn`, the login was right, but the account may not read what Studio needs to start. */
  const enter = async () => {
    await onSignedIn();
    setAttempt({ kind: 'refused', message: text.noAccess });
  };
  const refusePasskey = (error: unknown) => setAttempt({ kind: 'refused', message: passkeyFailureOf(error, text) });
  const takesPasskeys = providers.passkeys && hasPasskeys();
  const choosePasskey = usePasskeys(takesPasskeys, enter, refusePasskey);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAttempt({ kind: 'sending' });
    try {
      const code = asksCode ? read('otp') : null;
      if (directory === null) await signIn(read('email'), read('password'), code);
      else await signInBy(directory, read('email'), read('password'), code);
      await enter();
    } catch (error) {
      const asks = error instanceof ApiError && error.code === 'INVALID_OTP';
      setAsksCode(asksCode || asks);
      setAttempt(asks && !asksCode ? { kind: 'idle' } : { kind: 'refused', message: refusalOf(error, text) });
      form.current?.querySelector<HTMLInputElement>(asks ? '[name=otp]' : '[name=password]')?.select();
    }
  };
  const forget = async () => {
    const email = read('email');
    if (email === '') return form.current?.querySelector<HTMLInputElement>('[name=email]')?.focus();
    await requestReset(email).catch(() => undefined);
    setAttempt({ kind: 'notice', message: text.resetSent });
  };
  return (
    <EntryCard project={project} title={text.signInTo(project)}>
      {!isSetUp && <p className="banner amber">{text.setupWaits}</p>}
      <form ref={form} onSubmit={submit}>
        <Fields
          asks={hasForm ? (directory?.driver === 'ldap' ? 'name' : 'email') : null}
          asksCode={asksCode}
          offersPasskeys={takesPasskeys}
          refused={attempt.kind === 'refused'}
        />
        <p role="alert" className={attempt.kind === 'refused' ? 'refusal' : 'hint'} hidden={!('message' in attempt)}>
          {'message' in attempt ? attempt.message : ''}
        </p>
        {hasForm && (
          <button className="button primary" type="submit" disabled={attempt.kind === 'sending'}>
            {directory === null ? text.signIn : text.signInBy(directory.label)}
          </button>
        )}
        {hasPassword && directory === null && (
          <button className="button quiet" type="button" onClick={forget}>
            {text.forgotPassword}
          </button>
        )}
      </form>
      {takesPasskeys && (
        <button className="button" type="button" onClick={() => void choosePasskey()}>
          <Icon name="key" />
          {text.signInByPasskey}
        </button>
      )}
      <Providers
        providers={providers.data}
        chosen={directory}
        hasPassword={hasPassword}
        code={() => (asksCode ? read('otp') : null)}
        onChoose={setDirectory}
      />
    </EntryCard>
  );
}

/**
 * Offers passkeys in the autofill of the email field, and returns a function that asks for one in a dialog. The browser allows only one of
 * the two at a time.
 */
function usePasskeys(takes: boolean, onSignedIn: () => Promise<void>, onRefused: (error: unknown) => void): () => Promise<void> {
  const handlers = useRef({ onSignedIn, onRefused });
  handlers.current = { onSignedIn, onRefused };
  const offer = useRef<AbortController | null>(null);
  const start = useRef(() => {
    const controller = new AbortController();
    offer.current = controller;
    offerPasskeys(
      controller.signal,
      () => handlers.current.onSignedIn(),
      (error) => handlers.current.onRefused(error),
    ).catch((error: unknown) => handlers.current.onRefused(error));
  });
  useEffect(() => {
    if (!takes) return;
    start.current();
    return () => offer.current?.abort();
  }, [takes]);
  return async () => {
    offer.current?.abort();
    try {
      await signInByPasskey();
      await handlers.current.onSignedIn();
    } catch (error) {
      handlers.current.onRefused(error);
      start.current();
    }
  };
}

interface FieldsProps {
  /** What identifies a person in the form; null: only providers do. */
  readonly asks: 'email' | 'name' | null;
  readonly asksCode: boolean;
  readonly offersPasskeys: boolean;
  readonly refused: boolean;
}

function Fields({ asks, asksCode, offersPasskeys, refused }: FieldsProps) {
  const text = useText();
  return (
    <>
      {asks !== null && (
        <>
          <Labelled
            label={asks === 'name' ? text.userName : text.email}
            name="email"
            type={asks === 'name' ? 'text' : 'email'}
            autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
            required
            autoFocus
          />
          <PasswordInput label={text.password} refused={refused} />
        </>
      )}
      {asksCode && (
        <Labelled
          label={text.code}
          hint={text.codeHint}
          name="otp"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          required
          autoFocus
        />
      )}
    </>
  );
}
