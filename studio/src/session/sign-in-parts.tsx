// The parts that all forms around signing in are made of.

import { useId, useState } from 'react';
import { ApiError } from '../api/client.js';
import { wasCancelled } from '../api/passkeys.js';
import { Icon } from '../primitives/icon.js';
import type { Messages } from '../text/messages.js';
import { useText } from '../text/use-text.js';

export function refusalOf(error: unknown, text: Messages): string {
  if (!(error instanceof ApiError)) return text.unreachable;
  switch (error.code) {
    case 'INVALID_CREDENTIALS':
      return text.wrongCredentials;
    case 'INVALID_OTP':
      return text.wrongCode;
    case 'REQUESTS_EXCEEDED':
      return text.tooManyTries;
    case 'UNREACHABLE':
      return text.unreachable;
    default:
      return error.message;
  }
}

/** Why a login by a passkey failed: the browser got none, or the service does not know it. */
export function passkeyFailureOf(error: unknown, text: Messages): string {
  if (wasCancelled(error)) return text.passkeyCancelled;
  return error instanceof ApiError && error.code === 'INVALID_CREDENTIALS' ? text.passkeyRefused : refusalOf(error, text);
}

/** Why a login by a provider failed. The service gives one reason for whatever was wrong with it. */
export function failureOf(code: string, text: Messages): string {
  if (code === 'SERVICE_UNAVAILABLE') return text.providerAway;
  if (code === 'INVALID_OTP') return text.providerCode;
  return code === 'REQUESTS_EXCEEDED' ? text.tooManyTries : text.providerRefused;
}

type InputProps = React.ComponentProps<'input'>;

interface LabelledProps extends InputProps {
  readonly label: string;
  /** Beside the label, quietly. */
  readonly mark?: string;
  readonly hint?: string;
}

export function Labelled({ label, mark, hint, ...input }: LabelledProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
        {mark !== undefined && <span className="mark"> {mark}</span>}
      </label>
      <input id={id} className="input" aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...input} />
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface PasswordInputProps {
  readonly label: string;
  readonly refused: boolean;
  readonly autoFocus?: boolean;
  /** A password that is chosen here, not one that is known already. */
  readonly isNew?: boolean;
  readonly describedBy?: string | undefined;
}

export function PasswordInput({ label, refused, autoFocus = false, isNew = false, describedBy }: PasswordInputProps) {
  const text = useText();
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="with-action">
        <input
          id={id}
          className="input"
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          // biome-ignore lint/a11y/noAutofocus: the form asks for it first
          autoFocus={autoFocus}
          aria-invalid={refused}
          aria-describedby={describedBy}
        />
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={shown ? text.hidePassword : text.showPassword}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </button>
      </div>
    </div>
  );
}
