// The files and folders of the library, read sixty files at a time.

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { search } from '../api/client.js';
import { type FileItem, fileFields } from './file-item.js';

export interface Folder {
  readonly id: string;
  readonly name: string;
  readonly parent: string | null;
}

const pageSize = 60;
const mostFolders = 1000;

export interface FilesQuestion {
  /** Null: those in no folder. A search looks in all of them. */
  readonly folder: string | null;
  readonly search: string;
  readonly picturesOnly: boolean;
}

interface Files {
  readonly files: readonly FileItem[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly more: (() => void) | null;
}

export function useFiles(question: FilesQuestion): Files {
  const { folder, search: searchText, picturesOnly } = question;
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['files', folder, searchText, picturesOnly],
    queryFn: async ({ pageParam, signal }) => {
      const { path, query } = requestOfFiles(question);
      return (await search<readonly FileItem[]>(path, { ...query, offset: pageParam }, signal)).data;
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageSize ? null : pages.length * pageSize),
    placeholderData: (previous) => previous,
  });
  const files = useMemo(() => uniqueFiles(data?.pages.flat() ?? []), [data]);
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  return { files, isLoading: isPending, error, more: hasNextPage ? more : null };
}

/** A file that was added meanwhile moves others to the next page, so a file may be read twice. */
const uniqueFiles = (files: readonly FileItem[]): readonly FileItem[] => [...new Map(files.map((file) => [file.id, file])).values()];

/** The request for the first page of files. */
export function requestOfFiles({ folder, search: searchText, picturesOnly }: FilesQuestion) {
  const conditions = [
    ...(searchText !== '' ? [] : [{ folder: folder === null ? { _null: true } : { _eq: folder } }]),
    ...(picturesOnly ? [{ type: { _starts_with: 'image/' } }] : []),
  ];
  const narrowed = searchText === '' ? {} : { search: searchText };
  return {
    path: '/files',
    query: { fields: fileFields, filter: { _and: conditions }, sort: ['-created_on', 'id'], limit: pageSize, ...narrowed },
  };
}

export function useFolders(mayRead: boolean): readonly Folder[] {
  const { data = [] } = useQuery({
    queryKey: ['folders'],
    queryFn: async ({ signal }) =>
      (await search<readonly Folder[]>('/folders', { fields: ['id', 'name', 'parent'], sort: ['name'], limit: mostFolders }, signal)).data,
    enabled: mayRead,
  });
  return data;
}

/** Reads the library again after a change. */
export function useRefreshFiles(): () => Promise<void> {
  const cache = useQueryClient();
  return useCallback(
    async () =>
      void (await Promise.all([
        cache.invalidateQueries({ queryKey: ['files'] }),
        cache.invalidateQueries({ queryKey: ['folders'] }),
        cache.invalidateQueries({ queryKey: ['file'] }),
      ])),
    [cache],
  );
}

const restMs = 800;
let pending: ReturnType<typeof setTimeout> | null = null;

/** The same for changes in quick succession, such as uploads, which share one read. */
export function useRefreshSoon(): () => void {
  const refresh = useRefreshFiles();
  return useCallback(() => {
    if (pending !== null) return;
    pending = setTimeout(() => {
      pending = null;
      void refresh();
    }, restMs);
  }, [refresh]);
}

/** From the top down to the folder itself; a loop in the data ends the way. */
export function pathOfFolder(folders: readonly Folder[], id: string | null): readonly Folder[] {
  const path: Folder[] = [];
  for (let at = folders.find((each) => each.id === id); at !== undefined && !path.includes(at); ) {
    path.unshift(at);
    const { parent } = at;
    at = folders.find((each) => each.id === parent);
  }
  return path;
}
