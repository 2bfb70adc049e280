// Chooses files of the library in a dialog, or uploads new ones into it. Forms open it for fields that refer to files.

import { useDeferredValue, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { DropArea, UploadButton } from './drop-area.js';
import { FileGrid } from './file-grid.js';
import type { FileItem } from './file-item.js';
import { FolderChips } from './folder-chips.js';
import { UploadList } from './upload-list.js';
import { addUploads } from './uploads.js';
import { useFileRights } from './use-file-rights.js';
import { useFiles, useFolders, useRefreshFiles } from './use-files.js';

export interface FilePickerProps {
  /** One file, or as many as wanted. */
  readonly mode: 'single' | 'multiple';
  readonly picturesOnly?: boolean;
  /** The folder to begin in and to upload into. */
  readonly folder?: string | null;
  readonly onPick: (files: readonly FileItem[]) => void;
  readonly onClose: () => void;
}

export function FilePicker({ mode, picturesOnly = false, folder: first = null, onPick, onClose }: FilePickerProps) {
  const text = useText();
  const { maxUploadSize } = useStudio().boot;
  const rights = useFileRights();
  const [folder, setFolder] = useState(first);
  const [searchText, setSearchText] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const refresh = useRefreshFiles();
  const folders = useFolders(rights.readsFolders);
  const { files, isLoading, error, more } = useFiles({ folder, search: useDeferredValue(searchText.trim()), picturesOnly });
  const upload = (list: readonly File[]) => {
    const onDone = async ({ id }: FileItem) => {
      await refresh();
      setSelected((before) => new Set(mode === 'single' ? [id] : [...before, id]));
    };
    addUploads(list, { folder, onDone: (file) => void onDone(file), maxSize: maxUploadSize });
  };
  const pick = (chosen: readonly FileItem[]) => {
    onPick(chosen);
    onClose();
  };
  const chosen = files.filter(({ id }) => selected.has(id));
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="dialog wide-dialog">
        <Dialog className="drawer-content">
          <header className="drawer-head">
            <Heading slot="title" level={2}>
              {mode === 'single' ? text.chooseFile : text.chooseFiles}
            </Heading>
            {rights.create && (
              <UploadButton
                label={text.upload}
                className="button"
                isSingle={mode === 'single'}
                {...(picturesOnly ? { accept: 'image/*' } : {})}
                onFiles={upload}
              >
                <Icon name="upload" />
                <span>{text.upload}</span>
              </UploadButton>
            )}
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          <div className="toolbar">
            <input
              className="input search"
              type="search"
              aria-label={text.searchFiles}
              placeholder={text.searchFiles}
              value={searchText}
              onChange={(event) => setSearchText(event.target.value)}
            />
          </div>
          <DropArea isDisabled={!rights.create} onFiles={upload}>
            <div className="scroll library">
              <UploadList maxSize={maxUploadSize} />
              {searchText.trim() === '' && <FolderChips folders={folders} folder={folder} onOpen={setFolder} />}
              {error !== null && <p className="banner">{error.message}</p>}
              {!isLoading && error === null && files.length === 0 && (
                <p className="empty">{searchText.trim() === '' ? text.noFilesHere : text.noMatch}</p>
              )}
              <FileGrid
                label={text.files}
                files={files}
                mode={mode}
                selected={selected}
                onSelect={setSelected}
                onOpen={mode === 'single' ? (file) => pick([file]) : null}
                onMore={more}
              />
            </div>
          </DropArea>
          <footer className="drawer-foot">
            <p className="hint">{rights.create ? text.dropHint : ''}</p>
            <button type="button" className="button" onClick={onClose}>
              {text.cancel}
            </button>
            <button type="button" className="button primary" disabled={chosen.length === 0} onClick={() => pick(chosen)}>
              {text.useFiles(chosen.length)}
            </button>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
