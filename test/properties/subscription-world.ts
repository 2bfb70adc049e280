// A small world whose whole state is known, so that what each subscriber may see at any moment can be computed beside the service: notes in
// folders, written at random by requests and by other programs.

import type { TestService } from '../harness/start-service.js';
import type { Random } from './random.js';

export interface Note {
  readonly id: number;
  readonly title: string;
  readonly owner: string;
  readonly mark: number;
  readonly folder: number | null;
}

interface Folder {
  readonly id: number;
  readonly name: string;
  readonly shared: number;
}

export interface SubscriptionWorld {
  readonly notes: Map<number, Note>;
  readonly folders: Map<number, Folder>;
}

export const worldFixture = `
  create table folders (id integer primary key, name varchar(50), shared integer);
  create table notes (id integer primary key, title varchar(50), owner varchar(20), mark integer, folder integer,
    foreign key (folder) references folders (id) on delete cascade)`;

const owners = ['ann', 'bob', 'cid'] as const;
const mostNotes = 30;
const mostFolders = 5;

const noteOf = (random: Random, world: SubscriptionWorld, id: number, number: number): Note => ({
  id,
  title: `title ${number}`,
  owner: random.pick(owners),
  mark: random.int(10),
  folder: world.folders.size === 0 || random.chance(0.2) ? null : random.pick([...world.folders.keys()]),
});

const free = (random: Random, taken: ReadonlyMap<number, unknown>, most: number): number | null => {
  const ids = Array.from({ length: most }, (_, index) => index + 1).filter((id) => !taken.has(id));
  return ids.length === 0 ? null : random.pick(ids);
};

const literal = (value: unknown): string => (value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`);
const assignments = (data: object): string =>
  Object.entries(data)
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join(', ');

async function done(answer: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

const insert = (table: string, row: object): string =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`;

/** A random write, by a request or by SQL. `number` makes its texts unique. */
export async function takeStep(
  service: TestService,
  world: SubscriptionWorld,
  random: Random,
  number: number,
  bySql: boolean,
): Promise<void> {
  const { notes, folders } = world;
  const { api, sql } = service;
  const run = async (statement: string, request: () => Promise<{ readonly status: number; readonly text: string }>): Promise<void> => {
    if (bySql) await sql(statement);
    else await done(request());
  };
  const kind = random.int(100);
  const note = notes.size === 0 ? null : random.pick([...notes.values()]);
  const folder = folders.size === 0 ? null : random.pick([...folders.values()]);
  if (kind < 25 || note === null) {
    const id = free(random, notes, mostNotes);
    if (id === null) return;
    const made = noteOf(random, world, id, number);
    await run(insert('notes', made), () => api.post('/items/notes', made));
    notes.set(id, made);
  } else if (kind < 60) {
    const { id, ...rest } = noteOf(random, world, note.id, number);
    const names = random.some(Object.keys(rest), 0.5);
    const data = Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
    if (names.length === 0) return;
    await run(`update notes set ${assignments(data)} where id = ${id}`, () => api.patch(`/items/notes/${id}`, data));
    notes.set(id, { ...note, ...data });
  } else if (kind < 72) {
    await run(`delete from notes where id = ${note.id}`, () => api.delete(`/items/notes/${note.id}`));
    notes.delete(note.id);
  } else if (kind < 78) {
    const keys = random.some([...notes.keys()], 0.3);
    const data = { title: `title ${number}`, owner: random.pick(owners) };
    if (keys.length === 0) return;
    await run(`update notes set ${assignments(data)} where id in (${keys.join(', ')})`, () => api.patch('/items/notes', { keys, data }));
    for (const key of keys) notes.set(key, { ...(notes.get(key) as Note), ...data });
  } else if (kind < 81) {
    const keys = random.some([...notes.keys()], 0.2);
    if (keys.length === 0) return;
    await run(`delete from notes where id in (${keys.join(', ')})`, () => api.delete('/items/notes', keys));
    for (const key of keys) notes.delete(key);
  } else if (kind < 86 || folder === null) {
    const id = free(random, folders, mostFolders);
    if (id === null) return;
    const made: Folder = { id, name: `folder ${number}`, shared: random.int(2) };
    await run(insert('folders', made), () => api.post('/items/folders', made));
    folders.set(id, made);
  } else if (kind < 94) {
    const data = random.chance(0.5) ? { shared: 1 - folder.shared } : { name: `folder ${number}` };
    await run(`update folders set ${assignments(data)} where id = ${folder.id}`, () => api.patch(`/items/folders/${folder.id}`, data));
    folders.set(folder.id, { ...folder, ...data });
  } else if (kind < 96) {
    await run(`delete from folders where id = ${folder.id}`, () => api.delete(`/items/folders/${folder.id}`));
    folders.delete(folder.id);
    for (const { id, folder: at } of [...notes.values()]) if (at === folder.id) notes.delete(id);
  } else if (bySql) {
    await sql(`begin; update notes set title = 'rolled back'; rollback`);
  } else {
    // Refused, and nothing of it happens.
    const { status } = await api.post('/items/notes', [{ id: mostNotes + 1, title: 'half' }, { ...note }]);
    if (status < 400) throw new Error('a key was taken twice');
  }
}
