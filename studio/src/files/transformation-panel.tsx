// The picture in another size and format: what the service makes of it, and the address to use elsewhere.

import { useCallback, useDeferredValue, useId, useState } from 'react';
import { Picture } from '../primitives/picture.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { assetUrl, type FileItem } from './file-item.js';

interface Choice {
  readonly width: string;
  readonly height: string;
  readonly fit: string;
  readonly format: string;
  readonly quality: string;
}

const fits = ['cover', 'contain', 'inside', 'outside'] as const;
const formats = ['jpeg', 'png', 'webp', 'avif'];

export function TransformationPanel({ file }: { readonly file: FileItem }) {
  const text = useText();
  const id = useId();
  const [choice, setChoice] = useState<Choice>({ width: '400', height: '300', fit: 'cover', format: '', quality: '80' });
  const shown = useDeferredValue(choice);
  const url = assetUrl(file, { ...shown });
  const [failed, setFailed] = useState('');
  const fail = useCallback(() => setFailed(url), [url]);
  const set = (change: Partial<Choice>) => setChoice((before) => ({ ...before, ...change }));
  // People paste it elsewhere: without what is only for this browser's cache.
  const address = assetUrl({ ...file, modified_on: null }, { ...choice });
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    showToast(text.copied);
  };
  const number = (name: 'width' | 'height' | 'quality', most: number) => (
    <div>
      <label className="label" htmlFor={`${id}-${name}`}>
        {text[name]}
      </label>
      <input
        id={`${id}-${name}`}
        className="input"
        type="number"
        min={1}
        max={most}
        value={choice[name]}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </div>
  );
  return (
    <details className="section">
      <summary>{text.transformation}</summary>
      <div className="form inner transformation">
        {number('width', 6000)}
        {number('height', 6000)}
        <div>
          <label className="label" htmlFor={`${id}-fit`}>
            {text.fit}
          </label>
          <select id={`${id}-fit`} className="input" value={choice.fit} onChange={(event) => set({ fit: event.target.value })}>
            {fits.map((fit) => (
              <option key={fit} value={fit}>
                {text.fits[fit]}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label className="label" htmlFor={`${id}-format`}>
            {text.format}
          </label>
          <select id={`${id}-format`} className="input" value={choice.format} onChange={(event) => set({ format: event.target.value })}>
            <option value="">{text.original}</option>
            <option value="auto">{text.bestFormat}</option>
            {formats.map((format) => (
              <option key={format} value={format}>
                {format.toUpperCase()}
              </option>
            ))}
          </select>
        </div>
        {number('quality', 100)}
        <div className="transformed">
          {failed === url ? (
            <p className="refusal" role="alert">
              {text.previewFailed}
            </p>
          ) : (
            <Picture src={url} alt={text.preview} onFailed={fail} />
          )}
        </div>
        <div className="address-row">
          <input className="input code" readOnly value={address} aria-label={text.copyAddress} />
          <button type="button" className="button" onClick={() => void copy()}>
            {text.copyAddress}
          </button>
        </div>
      </div>
    </details>
  );
}
