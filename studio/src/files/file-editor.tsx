// Title, description, tags and focal point of a file. Only what was changed is sent, and only if nobody else changed the file meanwhile.

import { useId, useState } from 'react';
import { ApiError, request } from '../api/client.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { type FileItem, isPicture } from './file-item.js';
import { FocalPoint, type Point } from './focal-point.js';

export interface FileDetails extends FileItem {
  readonly description: string | null;
  readonly tags: readonly string[] | null;
  readonly created_on: string | null;
}

interface FileEditorProps {
  readonly file: FileDetails;
  readonly etag: string | null;
  readonly isReadOnly: boolean;
  readonly onSaved: () => Promise<void>;
}

type Edits = Partial<Pick<FileDetails, 'title' | 'description' | 'tags' | 'focal_point_x' | 'focal_point_y'>>;

export function FileEditor({ file, etag, isReadOnly, onSaved }: FileEditorProps) {
  const text = useText();
  const [edits, setEdits] = useState<Edits>({});
  const [isSaving, setSaving] = useState(false);
  const edit = (change: Edits) => setEdits((before) => ({ ...before, ...change }));
  const now = { ...file, ...edits };
  const changed = Object.fromEntries(Object.entries(edits).filter(([name, value]) => !isSame(value, file[name as keyof FileDetails])));
  const hasChanges = Object.keys(changed).length > 0;
  const save = async () => {
    setSaving(true);
    try {
      await request('PATCH', `/files/${encodeURIComponent(file.id)}`, { body: changed, ifMatch: etag, query: { fields: 'id' } });
      showToast(text.saved);
      await onSaved();
      setEdits({});
    } catch (error) {
      // What was typed stays; the fresh state is below it for the next attempt.
      if (error instanceof ApiError && error.status === 412) await onSaved();
      showToast(
        error instanceof ApiError && error.status === 412 ? text.conflict(null) : error instanceof Error ? error.message : text.unreachable,
      );
    } finally {
      setSaving(false);
    }
  };
  const point: Point | null =
    now.focal_point_x === null || now.focal_point_y === null ? null : { x: now.focal_point_x, y: now.focal_point_y };
  return (
    <form
      className="file-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isPicture(file) && (
        <FocalPoint
          file={file}
          point={point}
          isReadOnly={isReadOnly}
          onChange={(next) => edit({ focal_point_x: next?.x ?? null, focal_point_y: next?.y ?? null })}
        />
      )}
      <Line label={text.fileTitle} value={now.title ?? ''} isReadOnly={isReadOnly} onChange={(title) => edit({ title: title || null })} />
      <Line
        label={text.description}
        value={now.description ?? ''}
        isReadOnly={isReadOnly}
        isLong
        onChange={(description) => edit({ description: description || null })}
      />
      <Line
        label={text.tags}
        hint={text.tagsHint}
        value={(now.tags ?? []).join(',')}
        isReadOnly={isReadOnly}
        onChange={(typed) => edit({ tags: typed === '' ? null : typed.split(',').map((entry) => entry.trimStart()) })}
      />
      {!isReadOnly && (
        <div className="link-row">
          <button type="submit" className="button primary" disabled={!hasChanges || isSaving}>
            {isSaving ? text.saving : text.save}
          </button>
          {hasChanges && (
            <button type="button" className="button quiet" onClick={() => setEdits({})}>
              {text.discard}
            </button>
          )}
        </div>
      )}
    </form>
  );
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

interface LineProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly isLong?: boolean;
  readonly onChange: (value: string) => void;
}

function Line({ label, hint, value, isReadOnly, isLong = false, onChange }: LineProps) {
  const id = useId();
  const props = {
    id,
    className: 'input',
    value,
    readOnly: isReadOnly,
    ...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }),
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {isLong ? <textarea {...props} rows={2} /> : <input {...props} />}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
