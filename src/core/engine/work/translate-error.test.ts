import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { ServiceError } from '../../errors/service-error.js';
import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../vendor/database-error.js';
import { translateError } from './translate-error.js';

const tags = newsroomSchema.collections.get('tags');
if (tags === undefined) throw new Error('no collection tags');

function translated(
  kind: DatabaseErrorKind,
  facts: DatabaseErrorFacts = {},
  values: Readonly<Record<string, unknown>> | null = null,
): unknown {
  const refused = { collection: tags as NonNullable<typeof tags>, values: values === null ? null : new Map(Object.entries(values)) };
  const error = translateError(newsroomSchema, new DatabaseError(kind, 'secret driver text', facts), refused);
  return error instanceof ServiceError ? { code: error.code, status: error.status, ...error.entries[0].extensions } : error;
}

describe('translateError', () => {
  it('names collection, field and the own value of what has to be unique', () => {
    expect(translated('unique', { table: 'tags', columns: ['name'] }, { name: 'red' })).toEqual({
      code: 'RECORD_NOT_UNIQUE',
      status: 400,
      collection: 'tags',
      field: 'name',
      value: 'red',
    });
  });

  it('names no value when several rows were written', () => {
    expect(translated('unique', { table: 'tags', columns: ['name'] })).not.toHaveProperty('value');
  });

  it('knows the primary key by its constraint', () => {
    expect(translated('unique', { table: 'tags', constraint: 'PRIMARY' })).toMatchObject({ field: 'id' });
    expect(translated('unique', { table: 'tags', constraint: 'tags_pkey' })).toMatchObject({ field: 'id' });
  });

  it('passes on what the author of a trigger says, cut where it is long', () => {
    const raise = (message: string): unknown =>
      translateError(newsroomSchema, new DatabaseError('raised', message, { hint: 'h', constraint: 'c' }), {
        collection: tags,
        values: null,
      });
    const extensions = { collection: 'tags', constraint: 'c', hint: 'h', type: 'trigger', path: [] };
    expect(raise('Not today.')).toMatchObject({ entries: [{ code: 'FAILED_VALIDATION', message: 'Not today.', extensions }] });
    expect(raise('x'.repeat(5000))).toMatchObject({ message: 'x'.repeat(1000) });
  });

  it('names no column that the collection does not have', () => {
    expect(translated('not-null', { columns: ['of_another_table'] })).not.toHaveProperty('field');
  });

  it.each<[DatabaseErrorKind, string, number]>([
    ['foreign-key', 'INVALID_FOREIGN_KEY', 400],
    ['restrict', 'INVALID_FOREIGN_KEY', 400],
    ['not-null', 'NOT_NULL_VIOLATION', 400],
    ['too-long', 'VALUE_TOO_LONG', 400],
    ['out-of-range', 'VALUE_OUT_OF_RANGE', 400],
    ['invalid-value', 'INVALID_PAYLOAD', 400],
    ['check', 'FAILED_VALIDATION', 400],
    ['partition', 'FAILED_VALIDATION', 400],
    ['too-large', 'CONTENT_TOO_LARGE', 413],
    ['stale-schema', 'FORBIDDEN', 403],
    ['retry', 'SERVICE_UNAVAILABLE', 503],
    ['locked', 'SERVICE_UNAVAILABLE', 503],
    ['timeout', 'SERVICE_UNAVAILABLE', 503],
    ['unavailable', 'SERVICE_UNAVAILABLE', 503],
    ['deadlock', 'SERVICE_UNAVAILABLE', 503],
    ['read-only', 'SERVICE_UNAVAILABLE', 503],
    ['full', 'SERVICE_UNAVAILABLE', 503],
    ['denied', 'FORBIDDEN', 403],
  ])('%s is %s', (kind, code, status) => {
    expect(translated(kind)).toMatchObject({ code, status });
    expect(JSON.stringify(translated(kind))).not.toContain('secret driver text');
  });
});
