// What comments and notifications read and write.

import { useQuery } from '@tanstack/react-query';
import { request, search } from '../api/client.js';
import { namingFields, type Person } from '../schema/person.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

export const useTalkText = () => useText('talk');

export interface Comment {
  readonly id: string;
  readonly comment: string;
  readonly date_created: string | null;
  readonly date_updated: string | null;
  /** Missing when the person is gone or may not be read. */
  readonly user_created?: Person | null;
}

export interface Subject {
  readonly collection: string;
  readonly item: string;
}

/** Filter and order of the comments on an item. */
export const newestOf = ({ collection, item }: Subject) => ({
  filter: { collection: { _eq: collection }, item: { _eq: item } },
  sort: ['-date_created', '-id'],
});

/** The newest, oldest first. */
export async function readComments(
  subject: Subject,
  people: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<readonly Comment[]> {
  const fields = ['id', 'comment', 'date_created', 'date_updated', ...people.map((field) => `user_created.${field}`)];
  return (await search<readonly Comment[]>('/comments', { ...newestOf(subject), fields, limit }, signal)).data.toReversed();
}

export const addComment = (subject: Subject, comment: string): Promise<unknown> =>
  request('POST', '/comments', { body: { ...subject, comment }, query: { fields: 'id' } });

export const changeComment = (id: string, comment: string): Promise<unknown> =>
  request('PATCH', `/comments/${encodeURIComponent(id)}`, { body: { comment }, query: { fields: 'id' } });

export const deleteComment = (id: string): Promise<unknown> => request('DELETE', `/comments/${encodeURIComponent(id)}`);

/** The people with these ids that the person may read; without ids no request is made. */
export function usePeople(ids: readonly string[]): ReadonlyMap<string, Person> {
  const { me, permissions } = useStudio().boot;
  const fields = namingFields(permissions);
  const { data } = useQuery({
    queryKey: ['people', me.id, ids.toSorted()],
    queryFn: async ({ signal }) =>
      (await search<readonly Person[]>('/users', { fields, filter: { id: { _in: ids } }, limit: ids.length }, signal)).data,
    enabled: ids.length > 0 && fields.length > 1,
    placeholderData: (before) => before,
  });
  return new Map((data ?? []).map((person) => [person.id, person]));
}

const mostFound = 8;

/** The people that match the text typed after an `@`; undefined while a search runs, or without one. */
export function useFoundPeople(typed: string | null): readonly Person[] | undefined {
  const { me, permissions } = useStudio().boot;
  const fields = namingFields(permissions);
  const names = fields.filter((field) => field !== 'id');
  const words = (typed ?? '').split(' ').filter((word) => word !== '');
  const { data } = useQuery({
    queryKey: ['people found', me.id, words],
    queryFn: async ({ signal }) => {
      const matches = words.map((word) => ({ _or: names.map((name) => ({ [name]: { _icontains: word } })) }));
      const filter = { _and: [{ id: { _neq: me.id } }, ...matches] };
      return (await search<readonly Person[]>('/users', { fields, filter, sort: names.slice(0, 1), limit: mostFound }, signal)).data;
    },
    enabled: typed !== null && fields.length > 1,
    placeholderData: (before) => stillMatching(before ?? [], names, words),
  });
  return typed === null ? undefined : data;
}

/** A fast typist may press Enter before the answer arrives, so people who do not match the present text are not offered. */
function stillMatching(
  people: readonly Person[],
  names: readonly (keyof Person)[],
  words: readonly string[],
): readonly Person[] | undefined {
  const matching = people.filter((person) =>
    words.every((word) => names.some((name) => person[name]?.toLowerCase().includes(word.toLowerCase()))),
  );
  return matching.length === 0 ? undefined : matching;
}

export type NotificationStatus = 'inbox' | 'archived';

export interface Notification {
  readonly id: number;
  readonly timestamp: string | null;
  readonly sender?: Person | null;
  readonly subject: string;
  readonly message: string | null;
  readonly collection: string | null;
  readonly item: string | null;
}

const ofPerson = (user: string, status: NotificationStatus) => ({ recipient: { _eq: user }, status: { _eq: status } });

export async function readNotifications(
  user: string,
  status: NotificationStatus,
  people: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<readonly Notification[]> {
  const fields = ['id', 'timestamp', 'subject', 'message', 'collection', 'item', ...people.map((field) => `sender.${field}`)];
  const query = { fields, filter: ofPerson(user, status), sort: ['-id'], limit };
  return (await search<readonly Notification[]>('/notifications', query, signal)).data;
}

export const moveNotification = (id: number, status: NotificationStatus): Promise<unknown> =>
  request('PATCH', `/notifications/${id}`, { body: { status }, query: { fields: 'id' } });

/** Those that arrived after the newest on the screen stay. */
export const archiveUpTo = (user: string, newest: number): Promise<unknown> =>
  request('PATCH', '/notifications', {
    body: { query: { filter: { _and: [ofPerson(user, 'inbox'), { id: { _lte: newest } }] }, limit: -1 }, data: { status: 'archived' } },
    query: { fields: 'id' },
  });
