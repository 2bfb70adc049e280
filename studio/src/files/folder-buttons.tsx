// Makes a folder in the present one, and renames or deletes the present one.

import { useId, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import type { useFileRights } from './use-file-rights.js';
import { type Folder, useRefreshFiles } from './use-files.js';

interface FolderButtonsProps {
  /** Null: the top of the library. */
  readonly here: Folder | null;
  readonly rights: ReturnType<typeof useFileRights>;
  readonly onOpen: (folder: string | null) => void;
}

type Asked = 'create' | 'rename' | 'delete' | null;

export function FolderButtons({ here, rights, onOpen }: FolderButtonsProps) {
  const text = useText();
  const refresh = useRefreshFiles();
  const id = useId();
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const remove = async () => {
    if (here === null) return;
    close();
    try {
      await request('DELETE', `/folders/${encodeURIComponent(here.id)}`);
      onOpen(here.parent);
      await refresh();
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
  };
  return (
    <>
      {rights.createsFolders && (
        <button type="button" className="button" aria-label={text.newFolder} onClick={() => setAsked('create')}>
          <Icon name="folder" />
          <span className="wide-label">{text.newFolder}</span>
        </button>
      )}
      {here !== null && (rights.updatesFolders || rights.deletesFolders) && (
        <MenuTrigger>
          <Button className="button icon-only" aria-label={`${text.folders}: ${here.name}`}>
            <Icon name="more" />
          </Button>
          <Popover className="popover">
            <Menu>
              {rights.updatesFolders && (
                <MenuItem className="option" onAction={() => setAsked('rename')}>
                  {text.renameFolder}
                </MenuItem>
              )}
              {rights.deletesFolders && (
                <MenuItem className="option" onAction={() => setAsked('delete')}>
                  {text.delete}
                </MenuItem>
              )}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {(asked === 'create' || asked === 'rename') && (
        <FormDialog
          title={asked === 'create' ? text.newFolder : text.renameFolder}
          action={asked === 'create' ? text.createFolder : text.rename}
          onClose={close}
          onSubmit={async (form) => {
            const name = String(form.get('name')).trim();
            if (asked === 'create') await request('POST', '/folders', { body: { name, parent: here?.id ?? null } });
            else if (here !== null) await request('PATCH', `/folders/${encodeURIComponent(here.id)}`, { body: { name } });
            await refresh();
          }}
        >
          <div>
            <label className="label" htmlFor={id}>
              {text.folderName}
            </label>
            <input
              id={id}
              name="name"
              className="input"
              maxLength={255}
              required
              pattern=".*\S.*"
              autoComplete="off"
              defaultValue={asked === 'create' ? '' : (here?.name ?? '')}
            />
          </div>
        </FormDialog>
      )}
      {asked === 'delete' && here !== null && (
        <ConfirmDialog
          title={text.deleteFolder(here.name)}
          hint={text.deleteFolderHint}
          action={text.delete}
          onConfirm={() => void remove()}
          onCancel={close}
        />
      )}
    </>
  );
}
