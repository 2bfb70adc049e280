import { describe, expect, it } from 'vitest';
import { flagsForType } from './specials.js';

describe('flagsForType', () => {
  it.each([
    ['csv', 'text', ['cast-csv']],
    ['hash', 'string', ['hash']],
    ['json', 'text', ['cast-json']],
    ['json', 'json', []],
    ['boolean', 'integer', ['cast-boolean']],
    ['decimal', 'text', ['cast-decimal']],
    ['uuid', 'string', ['cast-uuid']],
    ['string', 'text', []],
  ] as const)('%s in a column that reads back as %s', (type, readBack, flags) => {
    expect(flagsForType(type, readBack)).toEqual(flags);
  });
});
