// The first start: the link that the service printed leads here, with its code behind the #, which no browser sends anywhere.

import { type FormEvent, useRef, useState } from 'react';
import { signIn } from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { useText } from '../text/use-text.js';
import { EntryCard } from './entry-card.js';
import { Labelled, PasswordInput, refusalOf } from './sign-in-parts.js';

interface SetupProps {
  readonly project: string;
  readonly code: string;
  readonly isOpen: boolean;
  /** Leads to the application, or to the sign-in. */
  readonly onDone: () => Promise<void>;
}

export function Setup({ project, code, isOpen, onDone }: SetupProps) {
  const text = useText();
  const form = useRef<HTMLFormElement>(null);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(!isOpen || code === '');
  const read = (name: string): string => String(new FormData(form.current ?? undefined).get(name) ?? '').trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setRefusal(null);
    try {
      const [email, password] = [read('email'), String(new FormData(form.current ?? undefined).get('password') ?? '')];
      await request('POST', '/server/setup', { body: { code, email, password, project_name: read('project') || null }, failFast: true });
      await signIn(email, password, null);
      await onDone();
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) setOver(true);
      else setRefusal(error instanceof ApiError && error.code === 'FAILED_VALIDATION' ? text.passwordWeak : refusalOf(error, text));
      setSending(false);
    }
  };
  if (isOver)
    return (
      <EntryCard project={project} title={text.setupOver}>
        <p>{text.setupOverHint}</p>
        <button type="button" className="button primary" onClick={() => void onDone()}>
          {text.toSignIn}
        </button>
      </EntryCard>
    );
  return (
    <EntryCard project={project} title={text.setUp}>
      <p>{text.setUpHint}</p>
      <form ref={form} onSubmit={(event) => void submit(event)}>
        <Labelled label={text.projectName} mark={text.optional} name="project" maxLength={255} autoComplete="organization" />
        <Labelled label={text.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordInput label={text.password} refused={refusal !== null} isNew />
        <p role="alert" className="refusal" hidden={refusal === null}>
          {refusal}
        </p>
        <button className="button primary" type="submit" disabled={isSending}>
          {text.finishSetup}
        </button>
      </form>
    </EntryCard>
  );
}
