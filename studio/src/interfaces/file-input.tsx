// A field that refers to one file: its picture or kind, chosen from the library or uploaded in the dialog that opens.

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { request } from '../api/client.js';
import { assetUrl, type FileItem, fileFields, isPicture, shortType, titleOfFile } from '../files/file-item.js';
import { Icon } from '../primitives/icon.js';
import { Picture } from '../primitives/picture.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';
import type { InterfaceProps } from './interface-props.js';

const FilePicker = lazy(async () => ({ default: (await import('../files/file-picker.js')).FilePicker }));

export function FileInput({ id, labelledBy, describedBy, field, value, isReadOnly, onChange }: InterfaceProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const key = keyOf(value);
  const file = useFile(key, value);
  return (
    <div className="file-input">
      {key === null ? (
        <button
          type="button"
          id={id}
          className="file-empty"
          aria-labelledby={`${labelledBy} ${id}`}
          aria-describedby={describedBy}
          disabled={isReadOnly}
          onClick={() => setOpen(true)}
        >
          <Icon name="picture" />
          {text.chooseFile}
        </button>
      ) : (
        <>
          <button
            type="button"
            id={id}
            className="file-chosen"
            aria-labelledby={`${labelledBy} ${id}`}
            aria-describedby={describedBy}
            disabled={isReadOnly}
            onClick={() => setOpen(true)}
          >
            {file !== null && isPicture(file) ? (
              <Picture src={assetUrl(file, { width: 160, height: 160, fit: 'inside', withoutEnlargement: 'true' })} alt="" />
            ) : (
              <span className="badge">{file === null ? '…' : shortType(file)}</span>
            )}
            <span className="cut">{file === null ? key : titleOfFile(file)}</span>
          </button>
          {!isReadOnly && (
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={`${text.clear}: ${field.title}`}
              onClick={() => onChange(null)}
            >
              <Icon name="close" />
            </button>
          )}
        </>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <FilePicker
            mode="single"
            picturesOnly={field.interface === 'file-image'}
            folder={plainText(field.options['folder']) || null}
            onPick={([picked]) => picked !== undefined && onChange(picked)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function keyOf(value: unknown): string | null {
  const key = typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
  return plainText(key) || null;
}

/** A picked file is known already; a stored one is asked for. */
function useFile(key: string | null, value: unknown): FileItem | null {
  const known = typeof value === 'object' && value !== null && 'filename_download' in value && 'type' in value ? (value as FileItem) : null;
  const { data } = useQuery({
    queryKey: ['file', 'short', key],
    queryFn: async ({ signal }) => {
      const path = `/files/${encodeURIComponent(key ?? '')}`;
      return (await request<FileItem>('GET', path, { query: { fields: fileFields.join(',') }, signal })).data;
    },
    enabled: key !== null && known === null,
  });
  return known ?? data ?? null;
}
