// For people whose rights wait for a second factor: one-time codes are set up here, before the application. Passkeys have to be used at the
// sign-in.

import { type FormEvent, useState } from 'react';
import { signOut } from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { useText } from '../text/use-text.js';
import { EntryCard } from './entry-card.js';
import { Labelled, PasswordInput, refusalOf } from './sign-in-parts.js';

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

interface SecondFactorProps {
  readonly project: string;
  /** Leads to the application, or to the sign-in. */
  readonly onDone: () => Promise<void>;
}

export function SecondFactor({ project, onDone }: SecondFactorProps) {
  const text = useText();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [asksPassword, setAsksPassword] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  /** Accounts with a password are asked for it; all others have to have signed in just now. */
  const generate = async (form: FormData) => {
    const body = asksPassword ? { password: String(form.get('password')) } : {};
    const { data } = await request<Secret>('POST', '/users/me/tfa/generate', { body, failFast: true });
    setSecret(data);
  };
  const enable = async (form: FormData, { secret: given }: Secret) => {
    await request('POST', '/users/me/tfa/enable', { body: { secret: given, otp: String(form.get('otp')) }, failFast: true });
    await onDone();
  };
  const refuse = (error: unknown) => {
    const code = error instanceof ApiError ? error.code : '';
    if (secret !== null && code === 'INVALID_PAYLOAD') setRefusal(text.wrongCode);
    else if (code === 'INVALID_PAYLOAD' && !asksPassword) setAsksPassword(true);
    else if (code === 'FORBIDDEN') setRefusal(text.signInAnew);
    else setRefusal(code === 'INVALID_CREDENTIALS' ? text.wrongPassword : refusalOf(error, text));
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setSending(true);
    setRefusal(null);
    try {
      await (secret === null ? generate(form) : enable(form, secret));
    } catch (error) {
      refuse(error);
    }
    setSending(false);
  };
  const leave = async () => {
    await signOut().catch(() => undefined);
    await onDone();
  };
  return (
    <EntryCard project={project} title={text.secondFactorNeeded}>
      <p>{secret === null ? text.secondFactorNeededHint : text.addKeyHint}</p>
      {secret !== null && (
        <>
          <code className="code-secret">{secret.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <p>
            <a href={secret.otpauth_url}>{text.openInApp}</a>
          </p>
        </>
      )}
      <form onSubmit={(event) => void submit(event)}>
        {secret === null && asksPassword && <PasswordInput label={text.password} refused={refusal !== null} autoFocus />}
        {secret !== null && (
          <Labelled label={text.code} name="otp" inputMode="numeric" autoComplete="one-time-code" pattern="[0-9]*" required autoFocus />
        )}
        <p role="alert" className="refusal" hidden={refusal === null}>
          {refusal}
        </p>
        <button className="button primary" type="submit" disabled={isSending}>
          {secret === null ? text.setUpCodes : text.turnOnCodes}
        </button>
        <button className="button quiet" type="button" onClick={() => void leave()}>
          {text.signOut}
        </button>
      </form>
    </EntryCard>
  );
}
