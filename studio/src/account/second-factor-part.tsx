// One-time codes: set up with a first code, against the password or, where there is none, a recent login; removed by a code.

import { useRef, useState } from 'react';
import { useRefreshAccess } from '../access/access-data.js';
import { Part } from '../access/person-parts.js';
import { ApiError, request } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { showToast } from '../primitives/toasts.js';
import { Labelled, PasswordInput } from '../session/sign-in-parts.js';
import { useText } from '../text/use-text.js';
import { useAccountText, useTask } from './account-data.js';

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

interface SecondFactorProps {
  readonly isOn: boolean;
  /** Issuing the secret requires the password or, without one, a recent login. */
  readonly hasPassword: boolean;
}

export function SecondFactorPart({ isOn, hasPassword }: SecondFactorProps) {
  const own = useAccountText();
  const refresh = useRefreshAccess();
  const { run, refusal } = useTask();
  const [asks, setAsks] = useState<'password' | 'removal' | Secret | null>(null);
  const close = () => setAsks(null);
  const begin = () => {
    if (isOn || hasPassword) setAsks(isOn ? 'removal' : 'password');
    else void run(async () => setAsks(await generate({}).catch(explain)), null);
  };
  const explain = (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'FORBIDDEN') throw error;
    throw new ApiError(403, [{ message: own.signInToSetUp, extensions: { code: 'FORBIDDEN' } }]);
  };
  const done = async (message: string) => {
    showToast(message);
    await refresh();
  };
  return (
    <Part title={own.secondFactor} hint={own.secondFactorHint}>
      <p className="fact-line">
        <span>{isOn ? own.codesOn : own.codesOff}</span>
      </p>
      <RefusalText text={refusal} />
      <button type="button" className="button small" onClick={begin}>
        {isOn ? own.removeCodes : own.setUpCodes}
      </button>
      {asks === 'password' && <PasswordStep onSecret={setAsks} onClose={close} />}
      {asks !== null && typeof asks === 'object' && (
        <CodeStep
          secret={asks}
          onClose={close}
          onCode={async (otp) => {
            await request('POST', '/users/me/tfa/enable', { body: { secret: asks.secret, otp } });
            await done(own.codesSet);
          }}
        />
      )}
      {asks === 'removal' && (
        <FormDialog
          title={own.removeCodes}
          action={own.removeCodes}
          onClose={close}
          onSubmit={async (form) => {
            await request('POST', '/users/me/tfa/disable', { body: { otp: String(form.get('otp')) } });
            await done(own.codesRemoved);
          }}
        >
          <p className="hint">{own.removeCodesHint}</p>
          <CodeInput />
        </FormDialog>
      )}
    </Part>
  );
}

const generate = async (body: { readonly password?: string }): Promise<Secret> =>
  (await request<Secret>('POST', '/users/me/tfa/generate', { body })).data;

interface PasswordStepProps {
  readonly onSecret: (secret: Secret) => void;
  readonly onClose: () => void;
}

function PasswordStep({ onSecret, onClose }: PasswordStepProps) {
  const own = useAccountText();
  const found = useRef<Secret | null>(null);
  return (
    <FormDialog
      title={own.setUpCodes}
      action={own.next}
      // The dialog closes itself after success; then the next dialog opens.
      onClose={() => (found.current === null ? onClose() : onSecret(found.current))}
      onSubmit={async (form) => {
        found.current = await generate({ password: String(form.get('password')) });
      }}
    >
      <PasswordInput label={own.passwordForCodes} refused={false} />
    </FormDialog>
  );
}

interface CodeStepProps {
  readonly secret: Secret;
  readonly onCode: (code: string) => Promise<void>;
  readonly onClose: () => void;
}

function CodeStep({ secret: { secret, otpauth_url }, onCode, onClose }: CodeStepProps) {
  const own = useAccountText();
  return (
    <FormDialog title={own.setUpCodes} action={own.turnOn} onClose={onClose} onSubmit={(form) => onCode(String(form.get('otp')))}>
      <p className="hint">{own.scanHint}</p>
      <p>
        <span className="label">{own.key}</span>
        <code className="code-secret">{secret.match(/.{1,4}/g)?.join(' ') ?? secret}</code>
      </p>
      <a href={otpauth_url}>{own.openApp}</a>
      <CodeInput />
    </FormDialog>
  );
}

function CodeInput() {
  const text = useText();
  return <Labelled label={text.code} name="otp" inputMode="numeric" autoComplete="one-time-code" pattern="[0-9]*" required />;
}
