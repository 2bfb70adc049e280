// The picture with its focal point, which is set by a click or by the arrow keys.

import { type KeyboardEvent, type MouseEvent, useId } from 'react';
import { Picture } from '../primitives/picture.js';
import { useText } from '../text/use-text.js';
import { assetUrl, type FileItem, titleOfFile } from './file-item.js';

/** In pixels of the original. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface FocalPointProps {
  readonly file: FileItem;
  readonly point: Point | null;
  readonly isReadOnly: boolean;
  readonly onChange: (point: Point | null) => void;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function FocalPoint({ file, point, isReadOnly, onChange }: FocalPointProps) {
  const text = useText();
  const id = useId();
  const [width, height] = [file.width ?? 0, file.height ?? 0];
  const picture = (
    <Picture src={assetUrl(file, { width: 800, withoutEnlargement: 'true' })} alt={titleOfFile(file)} width={width} height={height} />
  );
  if (width === 0 || height === 0 || isReadOnly) return <div className="focal">{picture}</div>;
  const at = point ?? { x: Math.round(width / 2), y: Math.round(height / 2) };
  const click = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    // A button that is pressed by a key has no place; arrow keys move the point then.
    if (event.detail === 0) return;
    onChange({
      x: within(Math.round(((event.clientX - box.left) / box.width) * width), width),
      y: within(Math.round(((event.clientY - box.top) / box.height) * height), height),
    });
  };
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stride = event.shiftKey ? 0.1 : 0.02;
    onChange({
      x: within(Math.round(at.x + step[0] * stride * width), width),
      y: within(Math.round(at.y + step[1] * stride * height), height),
    });
  };
  return (
    <div>
      <button
        type="button"
        className="focal"
        aria-label={`${text.focalPoint}: ${at.x}, ${at.y}`}
        aria-describedby={id}
        onClick={click}
        onKeyDown={move}
      >
        {picture}
        <svg className="focal-mark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <circle cx={at.x} cy={at.y} r={Math.max(width, height) / 40} data-set={point !== null} />
        </svg>
      </button>
      <div className="link-row">
        <p className="hint" id={id}>
          {text.focalHint}
        </p>
        {point !== null && (
          <button type="button" className="button quiet small" onClick={() => onChange(null)}>
            {text.focalReset}
          </button>
        )}
      </div>
    </div>
  );
}

const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
