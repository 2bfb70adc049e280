// Takes files that are dropped on it or pasted into it, and shows where they would go while they hover.

import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useText } from '../text/use-text.js';

interface DropAreaProps {
  readonly isDisabled: boolean;
  /** What dropping does; uploading otherwise. */
  readonly hint?: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

export function DropArea({ isDisabled, hint, onFiles, children }: DropAreaProps) {
  const text = useText();
  const [isOver, setOver] = useState(false);
  // Entering a child leaves the parent: only the last leave counts.
  const depth = useRef(0);
  const isFiles = ({ dataTransfer }: DragEvent): boolean => !isDisabled && dataTransfer.types.includes('Files');
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Upload" does the same by keyboard
    <div
      className="drop-area"
      onDragEnter={(event) => {
        if (!isFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => isFiles(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDrop={(event) => {
        if (!isFiles(event)) return;
        event.preventDefault();
        end();
        onFiles([...event.dataTransfer.files]);
      }}
      onPaste={(event) => {
        const files = [...event.clipboardData.files];
        if (!isDisabled && files.length > 0) onFiles(files);
      }}
    >
      {children}
      {isOver && <div className="drop-hint">{hint ?? text.dropHere}</div>}
    </div>
  );
}

interface UploadButtonProps {
  readonly label: string;
  readonly className: string;
  readonly accept?: string;
  readonly isSingle?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

export function UploadButton({ label, className, accept, isSingle = false, onFiles, children }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={!isSingle}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
