import { describe, expect, it } from 'vitest';
import { readFilter } from '../filter/filter-tree.js';
import { type ListState, narrowing, parseListState, plainSettings, printListState, printSort, turnSort } from './list-state.js';

const filter = readFilter({ _and: [{ title: { _contains: 'x~y=1&z' } }, { note: { _null: true } }] });
const view = { ...plainSettings, search: 'war', filter, columns: ['title', 'author'] };

describe('the state of a list in its address', () => {
  it.each<[ListState, typeof plainSettings]>([
    [{ ...plainSettings, view: null }, plainSettings],
    [{ view: '7', search: 'a & b', filter, sort: [{ field: 'id', descending: true }], columns: ['id', 'author.name'] }, plainSettings],
    [{ ...plainSettings, view: '7' }, view],
    [{ ...view, view: '7' }, view],
  ])('survives a round trip', (state, base) => {
    expect(parseListState(printListState(state, base), base)).toEqual(state);
  });

  it('is empty when nothing differs from the view', () => {
    expect(printListState({ ...view, view: null }, view)).toBe('');
  });

  it('ignores what is not a filter', () => {
    expect(parseListState('filter=nonsense', plainSettings).filter.nodes).toEqual([]);
  });

  it('orders by a field, the other way round, and not at all; other fields keep their places or go', () => {
    const both = [
      { field: 'status', descending: false },
      { field: 'title', descending: true },
    ];
    const turned = (field: string, keepsOthers: boolean) => printSort(turnSort(both, field, keepsOthers));
    expect(turned('id', true)).toEqual(['status', '-title', 'id']);
    expect(turned('status', true)).toEqual(['-status', '-title']);
    expect(turned('title', true)).toEqual(['status']);
    expect(turned('id', false)).toEqual(['id']);
    expect(turned('status', false)).toEqual(['-status']);
  });

  it('becomes a query', () => {
    expect(narrowing(plainSettings)).toEqual({});
    expect(narrowing(view)).toEqual({ search: 'war', filter: { _and: [{ title: { _contains: 'x~y=1&z' } }, { note: { _null: true } }] } });
  });
});
