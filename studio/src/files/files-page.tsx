// The file library: folders, files as tiles, uploads by drop, and what can be done with several files at once. The address names the folder,
// the search and the open file.

import { useDeferredValue, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { DropArea, UploadButton } from './drop-area.js';
import { FileDrawer } from './file-drawer.js';
import { FileGrid } from './file-grid.js';
import { FolderButtons } from './folder-buttons.js';
import { FolderChips } from './folder-chips.js';
import { SelectionBar } from './selection-bar.js';
import { UploadList } from './upload-list.js';
import { addUploads } from './uploads.js';
import { useFileRights } from './use-file-rights.js';
import { pathOfFolder, requestOfFiles, useFiles, useFolders, useRefreshSoon } from './use-files.js';

interface Place {
  readonly folder: string | null;
  readonly search: string;
  /** The file whose details are open. */
  readonly file: string | null;
}

function usePlace(): readonly [Place, (change: Partial<Place>, keeps?: boolean) => void] {
  const parameters = new URLSearchParams(useSearch());
  const [path, navigate] = useLocation();
  const place = { folder: parameters.get('folder'), search: parameters.get('search') ?? '', file: parameters.get('file') };
  const go = (change: Partial<Place>, keeps = false) => {
    const entries = Object.entries({ ...place, ...change }).filter(([, value]) => value !== null && value !== '');
    const query = new URLSearchParams(entries as [string, string][]).toString();
    navigate(query === '' ? path : `${path}?${query}`, { replace: keeps });
  };
  return [place, go];
}

export function FilesPage() {
  const text = useText();
  const { maxUploadSize } = useStudio().boot;
  const rights = useFileRights();
  const [place, go] = usePlace();
  const { folder } = place;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const refreshSoon = useRefreshSoon();
  const folders = useFolders(rights.readsFolders);
  const searchText = useDeferredValue(place.search.trim());
  const question = { folder, search: searchText, picturesOnly: false };
  const { files, isLoading, error, more } = useFiles(question);
  const upload = (list: readonly File[]) => addUploads(list, { folder, onDone: refreshSoon, maxSize: maxUploadSize });
  const open = (next: string | null) => {
    setSelected(new Set());
    go({ folder: next, search: '', file: null });
  };
  const here = pathOfFolder(folders, folder).at(-1);
  const isEmpty = !isLoading && error === null && files.length === 0;
  return (
    <>
      <PageHead title={here?.name ?? text.files} request={requestOfFiles(question)}>
        <FolderButtons here={here ?? null} rights={rights} onOpen={open} />
        {rights.create && (
          <UploadButton label={text.upload} className="button primary" onFiles={upload}>
            <Icon name="upload" />
            <span className="wide-label">{text.upload}</span>
          </UploadButton>
        )}
      </PageHead>
      <div className="toolbar">
        <input
          className="input search"
          type="search"
          aria-label={text.searchFiles}
          placeholder={text.searchFiles}
          value={place.search}
          onChange={(event) => go({ search: event.target.value }, true)}
        />
        {selected.size > 0 && <SelectionBar ids={[...selected]} folders={folders} rights={rights} onDone={() => setSelected(new Set())} />}
      </div>
      <DropArea isDisabled={!rights.create} onFiles={upload}>
        <div className="scroll library">
          <UploadList maxSize={maxUploadSize} />
          {searchText === '' && <FolderChips folders={folders} folder={folder} onOpen={open} />}
          {error !== null && (
            <p className="banner" role="alert">
              {error.message}
            </p>
          )}
          {isEmpty && searchText !== '' && <p className="empty">{text.noMatch}</p>}
          {isEmpty && searchText === '' && (
            <div className="empty">
              <Icon name="picture" />
              <h2>{folder === null ? text.noFiles : text.noFilesHere}</h2>
              {rights.create && <p>{text.noFilesHint}</p>}
            </div>
          )}
          {files.length > 0 && (
            <FileGrid
              label={text.files}
              files={files}
              mode="multiple"
              selected={selected}
              onSelect={setSelected}
              onOpen={({ id }) => go({ file: id })}
              onMore={more}
            />
          )}
        </div>
      </DropArea>
      {place.file !== null && <FileDrawer key={place.file} id={place.file} rights={rights} onClose={() => go({ file: null })} />}
    </>
  );
}
