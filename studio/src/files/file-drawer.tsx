// The details of one file: its picture with the focal point, what people say of it, the picture in other sizes, and its content replaced or
// deleted. What is typed is saved by the button, against the state it was read in.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { type Answer, ApiError, request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { UploadButton } from './drop-area.js';
import { type FileDetails, FileEditor } from './file-editor.js';
import { assetUrl, fileFields, formatBytes, isPicture, titleOfFile } from './file-item.js';
import { TransformationPanel } from './transformation-panel.js';
import { UploadList } from './upload-list.js';
import { addUploads } from './uploads.js';
import type { useFileRights } from './use-file-rights.js';
import { useRefreshFiles } from './use-files.js';

interface FileDrawerProps {
  readonly id: string;
  readonly rights: ReturnType<typeof useFileRights>;
  readonly onClose: () => void;
}

const fields = [...fileFields, 'description', 'tags', 'created_on'].join(',');

export function FileDrawer({ id, rights, onClose }: FileDrawerProps) {
  const text = useText();
  const cache = useQueryClient();
  const [isDeleted, setDeleted] = useState(false);
  const queryKey = ['file', id];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request<FileDetails>('GET', `/files/${encodeURIComponent(id)}`, { query: { fields }, signal }),
    refetchOnWindowFocus: false,
    enabled: !isDeleted,
  });
  /** What is deleted is not read again while the drawer closes. */
  const remove = async () => {
    setDeleted(true);
    await cache.cancelQueries({ queryKey });
    try {
      await request('DELETE', `/files/${encodeURIComponent(id)}`);
    } catch (error) {
      setDeleted(false);
      throw error;
    }
  };
  return (
    <ModalOverlay className="overlay side-overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="drawer">
        <Dialog className="drawer-content">
          <header className="drawer-head">
            <Heading slot="title" level={2} className="cut">
              {data === undefined ? text.files : titleOfFile(data.data)}
            </Heading>
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {error !== null && (
            <p className="banner" role="alert">
              {error instanceof ApiError && error.status === 403 ? text.fileGone : error.message}
            </p>
          )}
          {data !== undefined && <Details loaded={data} rights={rights} remove={remove} onClose={onClose} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface DetailsProps extends Pick<FileDrawerProps, 'rights' | 'onClose'> {
  readonly loaded: Answer<FileDetails>;
  readonly remove: () => Promise<void>;
}

function Details({ loaded, rights, remove, onClose }: DetailsProps) {
  const text = useText();
  const { formats, dateTime } = useLanguage();
  const { maxUploadSize, seen } = useStudio().boot;
  const refresh = useRefreshFiles();
  const [asks, setAsks] = useState(false);
  const { data: file, etag } = loaded;
  const replace = (list: readonly File[]) =>
    addUploads(list, { folder: null, onDone: () => void refresh(), replaces: file.id, maxSize: maxUploadSize });
  const confirmed = async () => {
    setAsks(false);
    try {
      await remove();
      showToast(text.deletedFiles(1));
      onClose();
      await refresh();
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
  };
  return (
    <div className="scroll file-details">
      <UploadList maxSize={maxUploadSize} of={file.id} />
      <FileEditor file={file} etag={etag} isReadOnly={!rights.update} onSaved={refresh} />
      <div className="link-row">
        {/* The browser would fetch it with the administrator's cookie. */}
        {seen === null && (
          <a className="button" href={assetUrl(file, { download: 'true' })} download={file.filename_download}>
            <Icon name="download" />
            {text.download}
          </a>
        )}
        {rights.update && (
          <UploadButton label={text.replaceContent} className="button" isSingle onFiles={replace}>
            <Icon name="upload" />
            {text.replaceContent}
          </UploadButton>
        )}
        {rights.delete && (
          <button type="button" className="button danger" onClick={() => setAsks(true)}>
            <Icon name="trash" />
            {text.delete}
          </button>
        )}
      </div>
      {isPicture(file) && <TransformationPanel file={file} />}
      <section>
        <h3>{text.fileFacts}</h3>
        <dl className="facts">
          <dt>{text.fileName}</dt>
          <dd>{file.filename_download}</dd>
          <dt>{text.size}</dt>
          <dd>{formatBytes(file.filesize, formats)}</dd>
          {file.width !== null && (
            <>
              <dt>{text.dimensions}</dt>
              <dd>
                {file.width} × {file.height}
              </dd>
            </>
          )}
          {file.created_on !== null && (
            <>
              <dt>{text.uploadedOn}</dt>
              <dd>{dateTime.format(new Date(file.created_on))}</dd>
            </>
          )}
        </dl>
      </section>
      {asks && (
        <ConfirmDialog
          title={text.deleteItem(titleOfFile(file))}
          hint={text.deleteFilesHint}
          action={text.delete}
          onConfirm={() => void confirmed()}
          onCancel={() => setAsks(false)}
        />
      )}
    </div>
  );
}
