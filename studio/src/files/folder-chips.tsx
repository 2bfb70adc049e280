// Where one is among the folders, and the folders inside of it.

import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { type Folder, pathOfFolder } from './use-files.js';

interface FolderChipsProps {
  readonly folders: readonly Folder[];
  readonly folder: string | null;
  readonly onOpen: (folder: string | null) => void;
}

export function FolderChips({ folders, folder, onOpen }: FolderChipsProps) {
  const text = useText();
  const path = pathOfFolder(folders, folder);
  const inside = folders.filter(({ parent }) => parent === folder);
  if (path.length === 0 && inside.length === 0) return null;
  return (
    <nav className="folders" aria-label={text.folders}>
      {folder !== null && (
        <ol className="crumbs">
          {[{ id: null, name: text.allFiles }, ...path].map(({ id, name }) => (
            <li key={id ?? ''}>
              <button
                type="button"
                className="button quiet small"
                aria-current={id === folder ? 'page' : undefined}
                onClick={() => onOpen(id)}
              >
                {name}
              </button>
            </li>
          ))}
        </ol>
      )}
      {inside.length > 0 && (
        <ul className="folder-list">
          {inside.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="folder-tile" onClick={() => onOpen(id)}>
                <Icon name="folder" />
                <span className="cut">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
