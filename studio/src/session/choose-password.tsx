// What the links of mails lead to: a new password after a forgotten one, the first one after an invitation.

import { type FormEvent, useRef, useState } from 'react';
import { signIn } from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { useText } from '../text/use-text.js';
import { EntryCard } from './entry-card.js';
import { PasswordInput, refusalOf } from './sign-in-parts.js';

interface ChoosePasswordProps {
  readonly project: string;
  readonly isInvitation: boolean;
  /** Good for one use. */
  readonly token: string;
  readonly onDone: () => Promise<void>;
}

/** The address that an invitation is for; the service has checked the link. */
function invitedAddress(token: string): string | null {
  try {
    const bytes = Uint8Array.from(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')), (each) =>
      each.charCodeAt(0),
    );
    const { email } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly email?: unknown };
    return typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}

/** An account that needs more than a password signs in by itself. */
const signsIn = (email: string, password: string): Promise<boolean> =>
  signIn(email, password, null).then(
    () => true,
    () => false,
  );

const spent = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'INVALID_INVITE', 'FORBIDDEN']);

export function ChoosePassword({ project, isInvitation, token, onDone }: ChoosePasswordProps) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [isSet, setSet] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(token === '' ? text.linkIncomplete : null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setRefusal(null);
    try {
      const password = String(new FormData(form.current ?? undefined).get('password') ?? '');
      await request('POST', isInvitation ? '/users/invite/accept' : '/auth/password/reset', { body: { token, password }, failFast: true });
      const email = isInvitation ? invitedAddress(token) : null;
      if (email === null || !(await signsIn(email, password))) return setSet(true);
      await onDone();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : '';
      setRefusal(spent.has(code) ? text.linkSpent : code === 'FAILED_VALIDATION' ? text.passwordWeak : refusalOf(error, text));
      setSending(false);
    }
  };
  if (isSet)
    return (
      <EntryCard project={project} title={text.passwordSet}>
        <p role="status">{text.passwordSetHint}</p>
        <button type="button" className="button primary" onClick={() => void onDone()}>
          {text.toSignIn}
        </button>
      </EntryCard>
    );
  return (
    <EntryCard project={project} title={isInvitation ? text.inviteTitle : text.resetTitle}>
      <p>{isInvitation ? text.inviteHint : text.resetHint}</p>
      <form ref={form} onSubmit={(event) => void submit(event)}>
        <PasswordInput label={text.newPassword} refused={refusal !== null} isNew autoFocus />
        <p role="alert" className="refusal" hidden={refusal === null}>
          {refusal}
        </p>
        <button className="button primary" type="submit" disabled={isSending || token === ''}>
          {text.savePassword}
        </button>
      </form>
    </EntryCard>
  );
}
