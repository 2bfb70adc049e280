// An address to copy to the provider.

import { useId } from 'react';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useSignOnText } from './sign-on-data.js';

interface AddressProps {
  readonly title: string;
  readonly hint?: string;
  readonly value: string;
}

export function Address({ title, hint, value }: AddressProps) {
  const own = useSignOnText();
  const id = useId();
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    showToast(own.copied);
  };
  return (
    <div>
      <label className="label" htmlFor={id}>
        {title}
      </label>
      <div className="address-row">
        <input id={id} className="input code" readOnly value={value} onFocus={(event) => event.target.select()} />
        <button type="button" className="button" aria-label={`${own.copy}: ${title}`} onClick={() => void copy()}>
          <Icon name="copy" />
          <span className="wide-label">{own.copy}</span>
        </button>
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}
