// The uploads of this page, or those that replace the content of one file, each with a progress bar or the reason why it was refused.

import type { ApiError } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import type { Messages } from '../text/messages.js';
import { useLanguage, useText } from '../text/use-text.js';
import { formatBytes } from './file-item.js';
import { clearUploads, removeUpload, retryUpload, type Upload, useUploads } from './uploads.js';

interface UploadListProps {
  readonly maxSize: number | null;
  /** Only those that replace the content of this file. */
  readonly of?: string;
}

export function UploadList({ maxSize, of }: UploadListProps) {
  const text = useText();
  const all = useUploads();
  const uploads = of === undefined ? all : all.filter(({ replaces }) => replaces === of);
  if (uploads.length === 0) return null;
  const done = uploads.filter(({ state }) => state.kind === 'done').length;
  const failed = uploads.filter(({ state }) => state.kind === 'failed').length;
  const isOver = done + failed === uploads.length;
  return (
    <section className="uploads" aria-label={text.uploads}>
      <header className="uploads-head">
        <strong role="status">{isOver ? text.uploaded(done, failed) : text.uploading(done, uploads.length)}</strong>
        <button type="button" className="button quiet small" disabled={done + failed === 0} onClick={() => clearUploads(uploads)}>
          {text.clearList}
        </button>
      </header>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} maxSize={maxSize} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload, maxSize }: { readonly upload: Upload; readonly maxSize: number | null }) {
  const text = useText();
  const { formats } = useLanguage();
  const { id, name, size, state } = upload;
  const isUnderWay = state.kind === 'waiting' || state.kind === 'sending';
  return (
    <li className="upload" data-state={state.kind}>
      <div className="upload-name">
        <span className="cut">{name}</span>
        <span className="hint">{formatBytes(size, formats)}</span>
      </div>
      {isUnderWay && <progress aria-label={name} max={1} value={state.kind === 'sending' ? state.sent : 0} />}
      {state.kind === 'done' && (
        <span className="upload-done">
          <Icon name="check" />
          {text.done}
        </span>
      )}
      {state.kind === 'failed' && (
        <p className="refusal" role="alert">
          {refusalOf(state.error, text, maxSize === null ? '' : formatBytes(maxSize, formats))}
        </p>
      )}
      <div className="upload-actions">
        {state.kind === 'failed' && state.error.status !== 413 && (
          <button type="button" className="button small" onClick={() => retryUpload(id)}>
            {text.retry}
          </button>
        )}
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={isUnderWay ? text.cancelUpload(name) : text.removeUpload(name)}
          onClick={() => removeUpload(id)}
        >
          <Icon name="close" />
        </button>
      </div>
    </li>
  );
}

function refusalOf(error: ApiError, text: Messages, most: string): string {
  if (error.code === 'CONTENT_TOO_LARGE') return most === '' ? text.fileTooLarge : text.fileTooLargeFor(most);
  if (error.code === 'UNREACHABLE') return text.uploadBroken;
  return error.message;
}
