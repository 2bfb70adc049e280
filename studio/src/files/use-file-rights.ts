// What the person may do with files and folders at all; which of them is the server's decision.

import { useMay } from '../studio-context.js';

interface FileRights {
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  readonly readsFolders: boolean;
  readonly createsFolders: boolean;
  readonly updatesFolders: boolean;
  readonly deletesFolders: boolean;
}

export function useFileRights(): FileRights {
  const may = useMay();
  return {
    create: may('files', 'create'),
    update: may('files', 'update'),
    delete: may('files', 'delete'),
    readsFolders: may('folders', 'read'),
    createsFolders: may('folders', 'create'),
    updatesFolders: may('folders', 'update'),
    deletesFolders: may('folders', 'delete'),
  };
}
