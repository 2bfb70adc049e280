import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { findCandidates } from './candidates.js';

describe('candidates for relations', () => {
  it('are none where every relation is declared', () => {
    expect(findCandidates(newsroomSchema).map(({ collection, field }) => `${collection.name}.${field.name}`)).toEqual([]);
  });
});
