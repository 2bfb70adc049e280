// Compares this database with a snapshot file and makes it like the file: each difference is on a card first, and what would be lost is asked for.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, request } from '../../api/client.js';
import { DropArea, UploadButton } from '../../files/drop-area.js';
import '../../files/files.css';
import { Crumb, PageHead } from '../../frame/page-head.js';
import { Icon } from '../../primitives/icon.js';
import { showToast } from '../../primitives/toasts.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import { ComparedCards } from './compared-cards.js';
import type { HashedDiff } from './snapshot-diff.js';
import './compare.css';

type Mode = 'mirror' | 'merge';

export function ComparePage() {
  const text = useModelText();
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<Mode>('mirror');
  // Each choice starts a new comparison, even of the same file: the file or the database may have changed.
  const [turn, setTurn] = useState(0);
  const choose = ([chosen]: readonly File[]) => {
    if (chosen === undefined) return;
    setFile(chosen);
    setTurn(turn + 1);
  };
  return (
    <DropArea isDisabled={false} hint={text.dropSnapshot} onFiles={choose}>
      <PageHead
        title={
          <>
            <Crumb href="/model" title={text.back} />
            {text.compare}
          </>
        }
        request={{ path: '/schema/snapshot' }}
      >
        <DownloadButton />
        <UploadButton
          label={text.chooseSnapshot}
          className={`button ${file === null ? 'primary' : ''}`}
          isSingle
          accept={accepted}
          onFiles={choose}
        >
          <Icon name="upload" />
          <span className="wide-label">{text.chooseSnapshot}</span>
        </UploadButton>
      </PageHead>
      {file === null ? (
        <div className="empty">
          <h2>{text.compareTitle}</h2>
          <p>{text.compareHint}</p>
        </div>
      ) : (
        <>
          <div className="toolbar compare-bar">
            <span className="cut">
              <Icon name="file" /> <strong>{file.name}</strong>
            </span>
            <ModeSelect mode={mode} onChange={setMode} />
          </div>
          <div className="scroll">
            <Compared key={`${turn} ${mode}`} file={file} mode={mode} turn={turn} onAgain={() => setTurn(turn + 1)} />
          </div>
        </>
      )}
    </DropArea>
  );
}

const accepted = '.json,.yaml,.yml,application/json';

function ModeSelect({ mode, onChange }: { readonly mode: Mode; readonly onChange: (mode: Mode) => void }) {
  const text = useModelText();
  return (
    <select className="input" aria-label={text.compareMode} value={mode} onChange={(event) => onChange(event.target.value as Mode)}>
      {(['mirror', 'merge'] as const).map((each) => (
        <option key={each} value={each}>
          {text.compareModes[each]}
        </option>
      ))}
    </select>
  );
}

function DownloadButton() {
  const text = useModelText();
  const general = useText();
  const download = async () => {
    try {
      const { data } = await request('GET', '/schema/snapshot');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
      link.download = 'structure.json';
      link.click();
      // By then the browser has started to read it.
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      showToast(error instanceof Error ? error.message : general.unreachable);
    }
  };
  return (
    <button type="button" className="button" aria-label={text.downloadSnapshot} onClick={download}>
      <Icon name="download" />
      <span className="wide-label">{text.downloadSnapshot}</span>
    </button>
  );
}

interface ComparedProps {
  readonly file: File;
  readonly mode: Mode;
  readonly turn: number;
  readonly onAgain: () => void;
}

function Compared({ file, mode, turn, onAgain }: ComparedProps) {
  const text = useModelText();
  const cache = useQueryClient();
  const { reload } = useStudio();
  const { data, error, isPending } = useQuery({
    queryKey: ['snapshot diff', turn, mode],
    queryFn: () => compare(file, mode),
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  if (isPending) return <p className="hint model-hint">{text.comparing}</p>;
  if (error !== null)
    return (
      <p className="banner model-hint" role="alert">
        {text.notCompared(file.name)}: {error instanceof ApiError ? error.message : text.unreadableFile}
      </p>
    );
  if (data === null || data === undefined)
    return (
      <div className="empty">
        <h2>{text.noDifference}</h2>
        <p>{text.noDifferenceHint(file.name)}</p>
      </div>
    );
  const finish = (count: number) => {
    showToast(text.applied(count));
    cache.clear();
    void reload();
    onAgain();
  };
  return <ComparedCards compared={data} onApplied={finish} onAgain={onAgain} />;
}

async function compare(file: File, mode: Mode): Promise<HashedDiff | null> {
  const body = new FormData();
  body.set('file', await unwrapped(file), file.name);
  const { data } = await request<HashedDiff | null | undefined>('POST', '/schema/diff', { body, query: { mode } });
  return data ?? null;
}

/** An answer of `/schema/snapshot` that was saved as it came has the snapshot in `data`. */
async function unwrapped(file: File): Promise<Blob> {
  try {
    const { data } = JSON.parse(await file.text()) as { readonly data?: unknown };
    return data === undefined ? file : new Blob([JSON.stringify(data)]);
  } catch {
    return file;
  }
}
