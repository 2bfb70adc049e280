// What can be done with the selected files: move them to a folder, delete them. Each is one request.

import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import type { useFileRights } from './use-file-rights.js';
import { type Folder, pathOfFolder, useRefreshFiles } from './use-files.js';

interface SelectionBarProps {
  readonly ids: readonly string[];
  readonly folders: readonly Folder[];
  readonly rights: ReturnType<typeof useFileRights>;
  readonly onDone: () => void;
}

/** The key of the menu entry that takes files out of any folder. */
const top = 'top';

export function SelectionBar({ ids, folders, rights, onDone }: SelectionBarProps) {
  const text = useText();
  const refresh = useRefreshFiles();
  const [asks, setAsks] = useState(false);
  const act = async (work: () => Promise<unknown>, message: string) => {
    try {
      await work();
      showToast(message);
      onDone();
      await refresh();
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
  };
  const move = (folder: string | null) =>
    act(() => request('PATCH', '/files', { body: { keys: ids, data: { folder } }, query: { fields: 'id' } }), text.moved(ids.length));
  const remove = () => {
    setAsks(false);
    void act(() => request('DELETE', '/files', { body: ids }), text.deletedFiles(ids.length));
  };
  return (
    <fieldset className="selection">
      <legend className="visually-hidden">{text.selectedFiles(ids.length)}</legend>
      <span role="status">{text.selectedFiles(ids.length)}</span>
      {rights.update && rights.readsFolders && (
        <MenuTrigger>
          <Button className="button">
            <Icon name="folder" />
            {text.moveTo}
          </Button>
          <Popover className="popover">
            <Menu onAction={(key) => void move(key === top ? null : String(key))}>
              <MenuItem id={top} className="option">
                {text.noFolder}
              </MenuItem>
              {folders.map(({ id }) => {
                const name = pathOfFolder(folders, id)
                  .map((each) => each.name)
                  .join(' / ');
                return (
                  <MenuItem key={id} id={id} className="option">
                    {name}
                  </MenuItem>
                );
              })}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {rights.delete && (
        <button type="button" className="button danger" onClick={() => setAsks(true)}>
          <Icon name="trash" />
          {text.delete}
        </button>
      )}
      <button type="button" className="button quiet" onClick={onDone}>
        {text.selectNone}
      </button>
      {asks && (
        <ConfirmDialog
          title={text.deleteFilesAsk(ids.length)}
          hint={text.deleteFilesHint}
          action={text.deleteFiles(ids.length)}
          onConfirm={remove}
          onCancel={() => setAsks(false)}
        />
      )}
    </fieldset>
  );
}
