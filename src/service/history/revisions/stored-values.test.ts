import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { KeyBatch } from '../../../core/pipeline/key-batch.js';
import type { Collection, ColumnField, Field } from '../../../core/schema/schema.js';
import { storedValues } from './stored-values.js';

const articles = newsroomSchema.collections.get('articles');
const title = articles?.fields.get('title');
if (articles === undefined || title?.kind !== 'column') throw new Error('the newsroom has no titles');

/** A collection with fields of these kinds. */
function collectionOf(fields: Readonly<Record<string, Partial<ColumnField>>>): Collection {
  const made = Object.entries(fields).map(([name, facts]): [string, Field] => [name, { ...title, ...facts, name } as ColumnField]);
  return { ...articles, fields: new Map(made) } as Collection;
}

describe('values in revisions', () => {
  const collection = collectionOf({
    text: {},
    document: { type: 'json' },
    list: { type: 'csv' },
    none: { type: 'csv' },
    moment: { type: 'dateTime' },
    big: { type: 'bigInteger' },
    bytes: { type: 'binary' },
    flag: { type: 'boolean' },
    secret: { concealed: true },
    empty: {},
  });

  it('have the form of answers', () => {
    const values = new Map<string, unknown>([
      ['text', 'a "b" %'],
      ['document', '{"a":[1,null]}'],
      ['list', 'x,y'],
      ['none', ''],
      ['moment', '2026-01-02T03:04:05.000'],
      ['big', 9007199254740993n],
      ['bytes', new Uint8Array([1, 2])],
      ['flag', true],
      ['secret', 'told to nobody'],
      ['empty', null],
      ['unknown', 'is no field'],
    ]);
    const stored = storedValues(collection, values);
    expect(typeof stored === 'string' && JSON.parse(stored)).toEqual({
      text: 'a "b" %',
      document: { a: [1, null] },
      list: ['x', 'y'],
      none: [],
      moment: '2026-01-02T03:04:05',
      big: '9007199254740993',
      bytes: 'AQI=',
      flag: true,
      secret: '**********',
      empty: null,
    });
  });

  it('have parts for keys that are not generated yet', () => {
    const late = new KeyBatch(2, 1).key(0);
    const stored = storedValues(
      collection,
      new Map<string, unknown>([
        ['text', '100 % "late 2.0/1"'],
        ['flag', late],
        ['big', late],
        ['secret', late],
      ]),
    );
    expect(stored).toEqual({ parts: ['{"text":"100 % \\"late 2.0/1\\"","flag":', late, ',"big":', late, ',"secret":"**********"}'] });
  });
});
