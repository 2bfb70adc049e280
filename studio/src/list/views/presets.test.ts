import { describe, expect, it } from 'vitest';
import type { Preset } from '../../schema/preset.js';
import { arrangementOf, audienceOf, isSameView, settingsOf, widthsOf, writePreset } from './presets.js';

const stored: Preset = {
  id: 1,
  bookmark: 'Drafts',
  user: null,
  role: null,
  collection: 'books',
  search: 'a',
  layout: 'tabular',
  layout_query: { cards: { sort: ['id'] }, tabular: { fields: ['title', 'author.name'], sort: ['-pages'], page: 3 } },
  layout_options: { tabular: { widths: { title: 300 }, spacing: 'compact' } },
  filter: { _and: [{ status: { _eq: 'draft' } }] },
};

describe('a saved view', () => {
  it('is read from its preset and written back without losing what others keep in it', () => {
    const settings = settingsOf(stored);
    expect(settings).toMatchObject({ search: 'a', sort: [{ field: 'pages', descending: true }], columns: ['title', 'author.name'] });
    const written = writePreset(settings, widthsOf(stored), stored);
    expect({ ...stored, ...written }).toEqual(stored);
    expect(isSameView(settings, settingsOf({ ...stored, search: 'b' }))).toBe(false);
  });

  it('belongs to a person, a role or everybody', () => {
    expect([stored, { ...stored, role: 'r' }, { ...stored, user: 'u', role: 'r' }].map(audienceOf)).toEqual(['all', 'role', 'own']);
  });

  it('arranges columns and never filters when it has no name', () => {
    expect(arrangementOf(stored)).toMatchObject({ search: '', filter: { nodes: [] }, columns: ['title', 'author.name'] });
  });
});
