import { describe, expect, it } from 'vitest';
import { type BinlogEvent, BinlogReader, type KeyLayout } from './binlog-events.js';

const join = (...parts: readonly (Buffer | readonly number[])[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));
const little = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};
const name = (text: string): Buffer => join([Buffer.byteLength(text)], Buffer.from(text), [0]);
const event = (type: number, ...body: readonly (Buffer | readonly number[])[]): Buffer =>
  join(little(0, 4), [type], little(1, 4), little(0, 4), little(400, 4), little(0, 2), ...body);

const notes = 12;
const tableMap = (types: readonly number[], description: readonly number[], database = 'shop', table = 'notes'): Buffer =>
  event(19, little(notes, 6), [0, 0], name(database), name(table), [types.length], types, [description.length], description, [0]);
const rows = (type: number, ...body: readonly (Buffer | readonly number[])[]): Buffer => event(type, little(notes, 6), [1, 0], ...body);

const [int, bigint, varchar, decimal, string] = [3, 8, 15, 246, 254];
const id: KeyLayout = [{ index: 0, form: 'signed' }];

function readAll(layout: KeyLayout | undefined, ...packets: readonly Buffer[]): BinlogEvent | null {
  const reader = new BinlogReader('shop', (table) => (table === 'notes' ? layout : undefined));
  return packets.map((packet) => reader.read(packet).event).at(-1) ?? null;
}
const inserted = (key: readonly (string | number)[]) => ({
  kind: 'rows',
  action: 'insert',
  table: 'notes',
  keys: [{ before: key, after: key }],
});

describe('BinlogReader', () => {
  it('reads the keys of inserted rows, past values of other types', () => {
    const map = tableMap([int, decimal, varchar], [10, 2, 44, 1]);
    const row = (key: number) => join([0b000], little(key, 4), [1, 2, 3, 4, 5], [2, 0], Buffer.from('ab'));
    const nulls = (key: number) => join([0b110], little(key, 4));
    expect(readAll(id, map, rows(23, [3], [0b111], row(7), nulls(8)))).toMatchObject({
      keys: [{ after: [7] }, { after: [8] }],
    });
  });

  it('reads an update of which the log has the key before and only what changed after', () => {
    const map = tableMap([int, varchar], [200, 0]);
    const update = rows(24, [2], [0b01], [0b10], [0], little(7, 4), [0, 2], Buffer.from('ab'));
    expect(readAll(id, map, update)).toMatchObject({ action: 'update', keys: [{ before: [7], after: [7] }] });
    const moved = rows(24, [2], [0b01], [0b01], [0], little(7, 4), [0], little(8, 4));
    expect(readAll(id, map, moved)).toMatchObject({ action: 'update', keys: [{ before: [7], after: [8] }] });
  });

  it('reads events of the second version, which have more in front', () => {
    expect(readAll(id, tableMap([int], []), rows(32, little(5, 2), [9, 9, 9], [1], [1], [0], little(7, 4)))).toMatchObject({
      action: 'delete',
      keys: [{ before: [7] }],
    });
  });

  it.each([
    ['signed', int, [], [0xfe, 0xff, 0xff, 0xff], -2],
    ['unsigned', int, [], [0xfe, 0xff, 0xff, 0xff], 4294967294],
    ['unsigned', bigint, [], [255, 255, 255, 255, 255, 255, 255, 255], '18446744073709551615'],
    ['signed', bigint, [], [5, 0, 0, 0, 0, 0, 0, 0], 5],
    ['text', varchar, [44, 1], [3, 0, 0x78, 0xc3, 0xa7], 'xç'],
    ['text', string, [254, 20], [1, 0x78], 'x'],
    ['text', string, [0xee, 24], [1, 0, 0x78], 'x'],
    ['date', 10, [], [0x22, 0xd4, 0x0f], '2026-01-02'],
    ['uuid', string, [254, 16], [15, ...Buffer.from('0190163d8694439baea5966c26f8ad', 'hex')], '0190163d-8694-439b-aea5-966c26f8ad00'],
    ['uuid', string, [254, 16], [16, ...Buffer.from('0190163d8694739baea5966c26f8ad91', 'hex')], '0190163d-8694-739b-aea5-966c26f8ad91'],
  ] as const)('a key of the form %s (type %s) %s', (form, type, description, value, key) => {
    const event = readAll([{ index: 0, form }], tableMap([type], [...description]), rows(23, [1], [1], [0], [...value]));
    expect(event).toEqual(inserted([key]));
  });

  it.each([
    ['without version and variant', [254, 16], [0]],
    ['in another order', [254, 16], [16, ...Buffer.from('966c26f8ad91aea5439b86940190163d', 'hex')]],
  ] as const)('a uuid %s is unknown', (_title, description, value) => {
    const event = readAll([{ index: 0, form: 'uuid' }], tableMap([string], [...description]), rows(23, [1], [1], [0], [...value]));
    expect(event).toMatchObject({ keys: null });
  });

  it('says that rows are unknown where a type is, where the key is absent, where the rows end early or late, and where they are compressed', () => {
    const map = tableMap([int], []);
    expect(readAll(id, tableMap([99], []), rows(23, [1], [1], [0], little(7, 4)))).toMatchObject({ kind: 'rows', keys: null });
    expect(readAll(null, map, rows(23, [1], [1], [0], little(7, 4)))).toMatchObject({ kind: 'rows', keys: null });
    expect(readAll(id, tableMap([int, int], []), rows(23, [2], [0b10], [0], little(7, 4)))).toMatchObject({ kind: 'rows', keys: null });
    for (const value of [little(7, 3), little(7, 6)])
      expect(readAll(id, map, rows(23, [1], [1], [0], value))).toMatchObject({ keys: null });
    expect(readAll(id, map, rows(166, [1, 2, 3]))).toMatchObject({ kind: 'rows', table: 'notes', keys: null });
  });

  it('leaves out tables of other databases and tables of no interest', () => {
    const row = rows(23, [1], [1], [0], little(7, 4));
    expect(readAll(id, tableMap([int], [], 'other'), row)).toBeNull();
    expect(readAll(id, tableMap([int], [], 'shop', 'elsewhere'), row)).toBeNull();
    expect(readAll(undefined, tableMap([int], []), row)).toBeNull();
  });

  it('reads what begins and ends transactions, statements and files', () => {
    const statement = event(
      2,
      little(1, 4),
      little(0, 4),
      [4],
      little(0, 2),
      little(3, 2),
      [1, 2, 3],
      name('shop').subarray(1),
      Buffer.from('drop table x'),
    );
    expect(readAll(id, statement)).toEqual({ kind: 'statement', database: 'shop', text: 'drop table x' });
    expect(readAll(id, event(4, little(4, 6), [0, 0], Buffer.from('changes.000002')))).toEqual({ kind: 'file', name: 'changes.000002' });
    expect(readAll(id, event(162, Buffer.alloc(12), [0]))).toEqual({ kind: 'begin' });
    expect(readAll(id, event(162, Buffer.alloc(12), [1]))).toBeNull();
    expect(readAll(id, event(16, Buffer.alloc(8)))).toEqual({ kind: 'commit' });
    expect(readAll(id, event(38, [0]))).toEqual({ kind: 'put-off' });
    expect(readAll(id, event(27))).toBeNull();
    expect(new BinlogReader('shop', () => id).read(event(27)).position).toBe(400);
  });

  it('leaves out checksums, which each file of the log says whether it has', () => {
    const reader = new BinlogReader('shop', () => id);
    const [checksum, format] = [Buffer.from([1, 2, 3, 4]), (kind: number) => event(15, Buffer.alloc(60), [kind, 1, 2, 3, 4])];
    const row = rows(23, [1], [1], [0], little(7, 4));
    for (const kind of [1, 0]) {
      reader.read(format(kind));
      reader.read(kind === 1 ? join(tableMap([int], []), checksum) : tableMap([int], []));
      expect(reader.read(kind === 1 ? join(row, checksum) : row).event).toEqual(inserted([7]));
    }
  });

  it('refuses rows of a table that was not described in their transaction', () => {
    const row = rows(23, [1], [1], [0], little(7, 4));
    expect(() => readAll(id, tableMap([int], []), event(16, Buffer.alloc(8)), row)).toThrow('not described');
  });
});
