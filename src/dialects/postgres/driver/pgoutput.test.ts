import { describe, expect, it } from 'vitest';
import { WalReader } from './pgoutput.js';

const letter = (text: string): Buffer => Buffer.from(text, 'latin1');
const short = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const long = (value: number): Buffer => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const name = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf8');
const text = (value: string): Buffer => Buffer.concat([letter('t'), long(Buffer.byteLength(value)), Buffer.from(value, 'utf8')]);
const nothing = letter('n');
const unchanged = letter('u');
const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);
const tuple = (...values: readonly Buffer[]): Buffer => join(short(values.length), ...values);

const column = (title: string, type: number, isKey = false): Buffer =>
  join(Buffer.from([isKey ? 1 : 0]), name(title), long(type), long(-1));
const notes = 70_000;
const described = join(
  letter('R'),
  long(notes),
  name('public'),
  name('notes'),
  letter('d'),
  short(3),
  column('id', 23, true),
  column('title', 25),
  column('ß', 25),
);

const readerOfNotes = (): WalReader => {
  const reader = new WalReader();
  expect(reader.read(described)).toBeNull();
  return reader;
};
const table = { schema: 'public', name: 'notes' };

describe('WalReader', () => {
  it('reads an insert, with the names and types of the description', () => {
    const message = readerOfNotes().read(join(letter('I'), long(notes), letter('N'), tuple(text('7'), nothing, text('grüße'))));
    expect(message).toEqual({
      kind: 'insert',
      table,
      row: new Map([
        ['id', { text: '7', type: 23 }],
        ['title', { text: null, type: 25 }],
        ['ß', { text: 'grüße', type: 25 }],
      ]),
    });
  });

  it('reads an update without its old key, and leaves out values that were not sent', () => {
    const message = readerOfNotes().read(join(letter('U'), long(notes), letter('N'), tuple(text('7'), unchanged, text('b'))));
    expect(message).toMatchObject({ kind: 'update', table, old: null });
    expect(message?.kind === 'update' && [...message.row.keys()]).toEqual(['id', 'ß']);
  });

  it.each(['K', 'O'])('reads an update with the old row (%s)', (kind) => {
    const old = tuple(text('7'), nothing, nothing);
    const message = readerOfNotes().read(
      join(letter('U'), long(notes), letter(kind), old, letter('N'), tuple(text('8'), nothing, nothing)),
    );
    expect(message?.kind === 'update' && [message.old?.get('id')?.text, message.row.get('id')?.text]).toEqual(['7', '8']);
  });

  it('reads a delete by its key', () => {
    const message = readerOfNotes().read(join(letter('D'), long(notes), letter('K'), tuple(text('7'), nothing, nothing)));
    expect(message?.kind === 'delete' && message.row.get('id')).toEqual({ text: '7', type: 23 });
  });

  it('reads a truncate of several tables', () => {
    const reader = readerOfNotes();
    reader.read(join(letter('R'), long(5), name('other'), name('days'), letter('d'), short(0)));
    const message = reader.read(join(letter('T'), long(2), Buffer.from([1]), long(notes), long(5)));
    expect(message).toEqual({ kind: 'truncate', tables: [table, { schema: 'other', name: 'days' }] });
  });

  it('takes a new description of a table for what follows it', () => {
    const reader = readerOfNotes();
    reader.read(join(letter('R'), long(notes), name('public'), name('renamed'), letter('d'), short(1), column('key', 20, true)));
    expect(reader.read(join(letter('D'), long(notes), letter('K'), tuple(text('7'))))).toEqual({
      kind: 'delete',
      table: { schema: 'public', name: 'renamed' },
      row: new Map([['key', { text: '7', type: 20 }]]),
    });
  });

  it('says of a message that was cut off which table it is about', () => {
    const whole = join(letter('I'), long(notes), letter('N'), tuple(text('7'), text('a long title'), nothing));
    for (let length = 6; length < whole.length; length += 1)
      expect(readerOfNotes().read(whole.subarray(0, length))).toEqual({ kind: 'cut', table });
  });

  it.each(['B', 'C', 'O', 'Y', 'M'])('has nothing to say of a message %s', (kind) => {
    expect(readerOfNotes().read(join(letter(kind), long(1), long(2)))).toBeNull();
  });

  it('refuses a change of a table that was not described', () => {
    expect(() => new WalReader().read(join(letter('D'), long(9), letter('K'), tuple(text('7'))))).toThrow('not described');
  });
});
