import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../core/errors/service-error.js';
import * as shapes from './shape.js';

const members = {
  name: shapes.text({ maxLength: 5 }),
  note: shapes.optional(shapes.text()),
  count: shapes.withDefault(shapes.integer(1, 9), 3),
  live: shapes.withDefault(shapes.boolean, false),
  mode: shapes.withDefault(shapes.choice(['add', 'merge']), 'add' as const),
  steps: shapes.withDefault(shapes.list(shapes.object({ path: shapes.text() }, { strict: true }), { max: 2, entry: 'Step' }), []),
  plain: shapes.withDefault(shapes.list(shapes.object({ path: shapes.text() })), []),
};

const read = (values: Readonly<Record<string, unknown>>, placeOf = shapes.inPayload) => shapes.readMembers(members, values, placeOf);

function refusalOf(values: Readonly<Record<string, unknown>>, placeOf = shapes.inPayload): string {
  try {
    return `read as ${JSON.stringify(read(values, placeOf))}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.code}: ${error.entries[0].extensions['reason']}`;
  }
}

describe('reading an input', () => {
  it('fills in what is absent, and takes null for absent', () => {
    const filled = { name: 'x', note: null, count: 3, live: false, mode: 'add', steps: [], plain: [] };
    expect(read({ name: 'x' })).toEqual(filled);
    expect(read({ name: 'x', note: null, count: null, live: null, mode: null, steps: null, plain: null })).toEqual(filled);
  });

  it('leaves out members it does not have', () => {
    expect(read({ name: 'x', stray: 1 })).not.toHaveProperty('stray');
  });

  it.each([
    [{}, '"name" is required.'],
    [{ name: '' }, '"name" is required.'],
    [{ name: 5 }, '"name" has to be text.'],
    [{ name: 'longer' }, '"name" is longer than 5 characters.'],
    [{ name: 'x', count: '3' }, '"count" has to be a whole number from 1 to 9.'],
    [{ name: 'x', count: 10 }, '"count" has to be a whole number from 1 to 9.'],
    [{ name: 'x', live: 'true' }, '"live" has to be true or false.'],
    [{ name: 'x', mode: 'mirror' }, '"mode" has to be one of add, merge.'],
    [{ name: 'x', steps: {} }, '"steps" has to be a list.'],
    [{ name: 'x', steps: [1, 2, 3] }, '"steps" holds more than 2 entries.'],
    [{ name: 'x', steps: [{ path: 'a' }, 5] }, 'Step 1 has to be an object.'],
    [{ name: 'x', steps: [{}] }, 'Step 0: "path" is required.'],
    [{ name: 'x', steps: [{ path: 'a', stray: 1 }] }, 'Step 0: "stray" means nothing here.'],
    [{ name: 'x', plain: [{ path: 5 }] }, '"plain[0].path" has to be text.'],
  ])('refuses %j', (values, reason) => {
    expect(refusalOf(values)).toBe(`INVALID_PAYLOAD: ${reason}`);
  });

  it('reads the texts of a URL as what they spell, and refuses them as a query', () => {
    expect(read({ name: 'x', count: '7', live: '', mode: 'merge' }, shapes.inUrl)).toMatchObject({ count: 7, live: true, mode: 'merge' });
    expect(read({ name: 'x', count: '', live: '0' }, shapes.inUrl)).toMatchObject({ count: 3, live: false });
    expect(refusalOf({ name: 'x', live: 'yes' }, shapes.inUrl)).toBe('INVALID_QUERY: "live" has to be true or false.');
    expect(refusalOf({ name: 'x', count: '1e1' }, shapes.inUrl)).toBe('INVALID_QUERY: "count" has to be a whole number from 1 to 9.');
  });
});
