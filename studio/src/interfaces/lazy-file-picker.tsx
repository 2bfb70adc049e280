// The picker of the file library is loaded when somebody first looks for a file.

import { lazy, Suspense } from 'react';
import type { FilePickerProps } from '../files/file-picker.js';

const FilePicker = lazy(async () => ({ default: (await import('../files/file-picker.js')).FilePicker }));

export const LazyFilePicker = (props: FilePickerProps) => (
  <Suspense fallback={null}>
    <FilePicker {...props} />
  </Suspense>
);
