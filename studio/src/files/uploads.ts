// The queue of uploads: three at a time, each with its progress, a retry under the same idempotency key, and the reason when it was refused.
// It outlives the page that added to it, so that people can go on working meanwhile.

import { useSyncExternalStore } from 'react';
import { ApiError, canRetry, randomKey } from '../api/client.js';
import { serviceUrl } from '../api/service-url.js';
import { inWords } from '../api/speaker.js';
import type { ErrorEntry } from '../schema/error-entry.js';
import { type FileItem, fileFields } from './file-item.js';

type UploadState =
  | { readonly kind: 'waiting' }
  /** `sent`: from 0 to 1. */
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'done'; readonly file: FileItem }
  | { readonly kind: 'failed'; readonly error: ApiError };

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly state: UploadState;
  /** The file whose content it replaces; null: a new one. */
  readonly replaces: string | null;
}

interface Job {
  readonly upload: Upload;
  readonly content: File;
  readonly folder: string | null;
  readonly onDone: (file: FileItem) => void;
}

const atOnce = 3;

let jobs: readonly Job[] = [];
let shown: readonly Upload[] = [];
const sending = new Map<string, XMLHttpRequest>();
const listeners = new Set<() => void>();

function change(next: readonly Job[]): void {
  jobs = next;
  shown = next.map(({ upload }) => upload);
  for (const listener of listeners) listener();
}

const setState = (id: string, state: UploadState): void =>
  change(jobs.map((job) => (job.upload.id === id ? { ...job, upload: { ...job.upload, state } } : job)));

export interface UploadTarget {
  readonly folder: string | null;
  readonly onDone: (file: FileItem) => void;
  readonly replaces?: string;
  /** The largest file the service takes; null: not known. */
  readonly maxSize: number | null;
}

export function addUploads(files: readonly File[], { folder, onDone, replaces, maxSize }: UploadTarget): void {
  const added = files.map((content): Job => {
    const state: UploadState = maxSize !== null && content.size > maxSize ? { kind: 'failed', error: tooLarge } : { kind: 'waiting' };
    return {
      upload: { id: randomKey(), name: content.name, size: content.size, state, replaces: replaces ?? null },
      content,
      folder,
      onDone,
    };
  });
  change([...jobs, ...added]);
  sendNext();
}

const tooLarge = new ApiError(413, [{ message: '', extensions: { code: 'CONTENT_TOO_LARGE' } }]);

export function retryUpload(id: string): void {
  setState(id, { kind: 'waiting' });
  sendNext();
}

/** Takes an upload off the list; one that is under way is cancelled. */
export function removeUpload(id: string): void {
  sending.get(id)?.abort();
  sending.delete(id);
  change(jobs.filter(({ upload }) => upload.id !== id));
  sendNext();
}

/** Takes those off the list that have ended. */
export function clearUploads(ended: readonly Upload[]): void {
  const ids = new Set(ended.filter(({ state }) => state.kind === 'done' || state.kind === 'failed').map(({ id }) => id));
  change(jobs.filter(({ upload: { id } }) => !ids.has(id)));
}

function sendNext(): void {
  for (const job of jobs.filter(({ upload }) => upload.state.kind === 'waiting').slice(0, Math.max(0, atOnce - sending.size)))
    void run(job);
}

async function run({ upload: { id, replaces }, content, folder, onDone }: Job): Promise<void> {
  for (;;) {
    setState(id, { kind: 'sending', sent: 0 });
    try {
      const file = await send(id, content, folder, replaces);
      setState(id, { kind: 'done', file });
      onDone(file);
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0 && (await canRetry(error))) continue;
      if (error instanceof ApiError) setState(id, { kind: 'failed', error });
    }
    break;
  }
  sending.delete(id);
  sendNext();
}

/** Requests of `fetch` do not tell how much of them was sent. */
function send(id: string, content: File, folder: string | null, replaces: string | null): Promise<FileItem> {
  const form = new FormData();
  // Values must precede the file, because the service reads the form as a stream.
  if (folder !== null && replaces === null) form.append('folder', folder);
  // Browsers write a quotation mark of the name as %22 there, which a name may also hold by itself.
  if (replaces === null && content.name.includes('"')) form.append('filename_download', content.name);
  form.append('file', content, content.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    sending.set(id, request);
    const path = replaces === null ? '/files' : `/files/${encodeURIComponent(replaces)}`;
    const url = serviceUrl(path);
    url.searchParams.set('fields', fileFields.join(','));
    request.open(replaces === null ? 'POST' : 'PATCH', url);
    request.setRequestHeader('idempotency-key', id);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => setState(id, { kind: 'sending', sent: total === 0 ? 0 : loaded / total });
    request.onload = () => {
      const body = request.response as { readonly data?: FileItem; readonly errors?: readonly ErrorEntry[] } | null;
      if (request.status < 300 && body?.data !== undefined) resolve(body.data);
      else void inWords(body?.errors ?? []).then((errors) => reject(new ApiError(request.status, errors)));
    };
    request.onerror = () => reject(new ApiError(0, []));
    request.onabort = () => reject(new Error('cancelled'));
    request.send(form);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => shown);
