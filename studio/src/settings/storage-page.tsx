// What the files take: by storage, by kind, and which are the largest. Two requests, whatever the number of files.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useRunningText } from '../activity/activity-data.js';
import { search } from '../api/client.js';
import { sizeText } from '../displays/show-value.js';
import { FailedRead } from '../primitives/failed-read.js';
import { useLanguage, useText } from '../text/use-text.js';
import { SystemHead } from './system-head.js';

/** Numbers that the service counts, and sums of them, may be texts: they may be larger than numbers are exact. */
interface Group {
  readonly storage: string;
  readonly type: string | null;
  readonly count: string | number;
  readonly sum: { readonly filesize: string | number | null };
}

interface LargeFile {
  readonly id: string;
  readonly title: string | null;
  readonly filename_download: string;
  readonly storage: string;
  readonly filesize: string | number | null;
}

interface Taken {
  readonly files: number;
  readonly bytes: number;
}

const groupsRequest = {
  path: '/files',
  query: { aggregate: { count: ['*'], sum: ['filesize'] }, groupBy: ['storage', 'type'], limit: -1 },
};
const largestRequest = {
  path: '/files',
  query: {
    fields: ['id', 'title', 'filename_download', 'storage', 'filesize'],
    filter: { filesize: { _nnull: true } },
    sort: ['-filesize', 'id'],
    limit: 10,
  },
};

export function StoragePage() {
  const text = useRunningText();
  const { files } = useText();
  const { data: groups, error } = useQuery({
    queryKey: ['files', 'storage'],
    queryFn: async ({ signal }) => (await search<readonly Group[]>(groupsRequest.path, groupsRequest.query, signal)).data,
  });
  const { data: largest } = useQuery({
    queryKey: ['files', 'largest'],
    queryFn: async ({ signal }) => (await search<readonly LargeFile[]>(largestRequest.path, largestRequest.query, signal)).data,
  });
  return (
    <>
      <SystemHead request={groupsRequest}>
        <Link href="/files" className="button">
          {files}
        </Link>
      </SystemHead>
      <div className="scroll system">
        <FailedRead what={text.storageFailed} error={groups === undefined ? error : null} />
        {groups?.length === 0 && <p>{text.nothingStored}</p>}
        {groups !== undefined && groups.length > 0 && (
          <>
            <TakenTable title={text.byStorage} taken={takenBy(groups, ({ storage }) => storage)} />
            <TakenTable title={text.byKind} taken={takenBy(groups, (group) => text.kinds[kindOf(group)] ?? kindOf(group))} />
          </>
        )}
        {largest !== undefined && largest.length > 0 && <Largest files={largest} />}
      </div>
    </>
  );
}

/** The part of its type before the slash, for types that people know by it. */
function kindOf({ type }: Group): string {
  const kind = type?.split('/')[0] ?? '';
  if (type === 'application/pdf') return 'pdf';
  return ['image', 'video', 'audio', 'text'].includes(kind) ? kind : 'other';
}

/** The largest first. */
function takenBy(groups: readonly Group[], nameOf: (group: Group) => string): readonly (readonly [name: string, taken: Taken])[] {
  const all = new Map<string, Taken>();
  for (const group of groups) {
    const { files, bytes } = all.get(nameOf(group)) ?? { files: 0, bytes: 0 };
    all.set(nameOf(group), { files: files + Number(group.count), bytes: bytes + Number(group.sum.filesize ?? 0) });
  }
  return [...all].toSorted(([, left], [, right]) => right.bytes - left.bytes);
}

interface TakenTableProps {
  readonly title: string;
  readonly taken: readonly (readonly [name: string, taken: Taken])[];
}

function TakenTable({ title, taken }: TakenTableProps) {
  const text = useRunningText();
  const { files: filesTitle } = useText();
  const language = useLanguage();
  return (
    <section>
      <h2>{title}</h2>
      <table className="running-table taken-table" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{filesTitle}</th>
            <th scope="col">{text.size}</th>
          </tr>
        </thead>
        <tbody>
          {taken.map(([name, { files, bytes }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{language.number.format(files)}</td>
              <td className="number">{sizeText(language, bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Largest({ files }: { readonly files: readonly LargeFile[] }) {
  const text = useRunningText();
  const language = useLanguage();
  return (
    <section>
      <h2>{text.largest}</h2>
      <table className="running-table taken-table" aria-label={text.largest}>
        <thead>
          <tr>
            <th scope="col">{text.file}</th>
            <th scope="col">{text.storagePlace}</th>
            <th scope="col">{text.size}</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ id, title, filename_download: name, storage, filesize }) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/files?file=${encodeURIComponent(id)}`}>{title || name}</Link>
              </th>
              <td>{storage}</td>
              <td className="number">{sizeText(language, Number(filesize))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
