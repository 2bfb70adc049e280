// Whether mails arrive: one to oneself, and what the mail server said to it.

import { useState } from 'react';
import { useRunningText } from '../activity/activity-data.js';
import { ApiError, request } from '../api/client.js';
import { useText } from '../text/use-text.js';

interface MailTrial {
  readonly to: string;
  readonly state: 'sent' | 'refused' | 'unconfigured';
  readonly message: string;
}

export function MailPart() {
  const text = useRunningText();
  const { unreachable } = useText();
  const [isSending, setSending] = useState(false);
  const [trial, setTrial] = useState<MailTrial | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const send = async () => {
    setSending(true);
    setTrial(null);
    setRefusal(null);
    try {
      setTrial((await request<MailTrial>('POST', '/utils/mail/test')).data);
    } catch (error) {
      setRefusal(error instanceof ApiError && error.status > 0 ? error.message : unreachable);
    }
    setSending(false);
  };
  return (
    <section className="mail-part">
      <h2>{text.mail}</h2>
      <p className="hint">{text.mailHint}</p>
      <button type="button" className="button" disabled={isSending} onClick={() => void send()}>
        {isSending ? text.mailSending : text.mailSend}
      </button>
      <div role="status">
        {trial !== null && (
          <p className={`banner ${trial.state === 'sent' ? 'quiet' : 'amber'}`}>
            <span>
              {trial.state === 'sent' && text.mailSent(trial.to)}
              {trial.state === 'refused' && text.mailRefused}
              {trial.state === 'unconfigured' && text.mailUnconfigured} {trial.state === 'unconfigured' ? null : <q>{trial.message}</q>}
            </span>
          </p>
        )}
        {refusal !== null && <p className="banner">{refusal}</p>}
      </div>
    </section>
  );
}
