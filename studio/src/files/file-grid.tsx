// Files as tiles, with selection by pointer and keyboard. More are read when the end comes into view.

import { useEffect, useRef } from 'react';
import { Checkbox, GridList, GridListItem, type Selection } from 'react-aria-components';
import { Icon } from '../primitives/icon.js';
import { Picture } from '../primitives/picture.js';
import { useLanguage, useText } from '../text/use-text.js';
import { assetUrl, type FileItem, formatBytes, isPicture, shortType, titleOfFile } from './file-item.js';
import './files.css';

interface FileGridProps {
  readonly label: string;
  readonly files: readonly FileItem[];
  readonly mode: 'single' | 'multiple';
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** What Enter and a click do; null: they select. */
  readonly onOpen: ((file: FileItem) => void) | null;
  /** Null: there are no more. */
  readonly onMore: (() => void) | null;
}

export function FileGrid({ label, files, mode, selected, onSelect, onOpen, onMore }: FileGridProps) {
  const text = useText();
  const choose = (selection: Selection) =>
    onSelect(selection === 'all' ? new Set(files.map(({ id }) => id)) : new Set([...selection].map(String)));
  return (
    <>
      <GridList
        className="tiles"
        aria-label={label}
        layout="grid"
        items={files}
        selectionMode={mode}
        selectedKeys={selected}
        onSelectionChange={choose}
        {...(onOpen === null
          ? {}
          : {
              onAction: (id) => {
                const file = files.find((each) => each.id === id);
                if (file !== undefined) onOpen(file);
              },
            })}
      >
        {(file) => (
          <GridListItem id={file.id} className="tile" textValue={titleOfFile(file)}>
            {mode === 'multiple' && (
              <Checkbox slot="selection" className="tile-check">
                <Icon name="check" />
              </Checkbox>
            )}
            <Preview file={file} />
            <Caption file={file} />
          </GridListItem>
        )}
      </GridList>
      {onMore !== null && <More label={text.loadMore} onMore={onMore} />}
    </>
  );
}

/** The picture, or the kind of file. The service makes small pictures; where it may not, the browser gets the whole one. */
function Preview({ file, size = 240 }: { readonly file: FileItem; readonly size?: number }) {
  if (!isPicture(file))
    return (
      <div className="tile-picture" aria-hidden="true">
        <span className="tile-type">{shortType(file)}</span>
      </div>
    );
  return (
    <div className="tile-picture">
      <Picture
        src={assetUrl(file, { width: size, height: size, fit: 'inside', withoutEnlargement: 'true', quality: 70 })}
        alt=""
        isLazy
        fallback={assetUrl(file)}
      />
    </div>
  );
}

function Caption({ file }: { readonly file: FileItem }) {
  const { formats } = useLanguage();
  const facts = [shortType(file), file.width === null ? '' : `${file.width} × ${file.height}`, formatBytes(file.filesize, formats)];
  return (
    <div className="tile-caption">
      <span className="cut" title={titleOfFile(file)}>
        {titleOfFile(file)}
      </span>
      <span className="hint cut">{facts.filter((fact) => fact !== '').join(' · ')}</span>
    </div>
  );
}

function More({ label, onMore }: { readonly label: string; readonly onMore: () => void }) {
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = place.current;
    if (button === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onMore(), { rootMargin: '600px' });
    observer.observe(button);
    return () => observer.disconnect();
  }, [onMore]);
  return (
    <button ref={place} type="button" className="button quiet more" onClick={onMore}>
      {label}
    </button>
  );
}
