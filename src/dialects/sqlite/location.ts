// From the address of the database to the file: `sqlite:./file.db`, `sqlite:///abs/file.db`, `file:…`, or a plain path.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export function parseLocation(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (path === ':memory:' || path === '' || url.includes('mode=memory')) {
    throw new Error(
      'SQLite in memory is not supported: its readers and its writer share a file. Name a file, for example sqlite:./data.db',
    );
  }
  if (path.includes('\0')) throw new Error('The name of the SQLite file contains a NUL character.');
  return resolve(decodePath(url, path));
}

const decodePath = (url: string, path: string): string => (url.startsWith('sqlite:///') ? decodeURIComponent(path) : path);
