// What the person may do with files and folders at all; which of them is the server's decision.

import { useStudio } from '../studio-context.js';

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
  const { permissions } = useStudio().boot;
  const may = (collection: string, action: string): boolean => (permissions[collection]?.[action]?.access ?? 'none') !== 'none';
  return {
    create: may('service_files', 'create'),
    update: may('service_files', 'update'),
    delete: may('service_files', 'delete'),
    readsFolders: may('service_folders', 'read'),
    createsFolders: may('service_folders', 'create'),
    updatesFolders: may('service_folders', 'update'),
    deletesFolders: may('service_folders', 'delete'),
  };
}
