// Choosing the file of an import, by button or by drop.

import { useState } from 'react';
import { useText } from '../../text/use-text.js';
import { readTable, type Table } from './read-table.js';

const largest = 50_000_000;

export function FileStep({ onFile }: { readonly onFile: (name: string, table: Table) => void }) {
  const text = useText();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > largest) return setRefusal(text.list.fileTooLarge);
    try {
      const table = readTable(file.name, await file.text());
      if (table.rows.length === 0) return setRefusal(text.list.fileEmpty);
      onFile(file.name, table);
    } catch {
      setRefusal(text.list.fileUnreadable);
    }
  };
  return (
    <div className="stack">
      <label
        className="drop-place"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void read(event.dataTransfer.files[0]);
        }}
      >
        <span>
          <strong>{text.list.chooseFile}</strong>
          <br />
          <span className="hint">{text.list.fileHint}</span>
        </span>
        <input
          type="file"
          className="visually-hidden"
          accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,application/json"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </label>
      {refusal !== null && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
