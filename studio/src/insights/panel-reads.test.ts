import { describe, expect, it } from 'vitest';
import { type Options, readPanel } from './panel.js';
import { entriesIn, planReads, pointsIn, valueIn } from './panel-reads.js';

const asked = (type: string, options: Options) => {
  const read = readPanel({ type, options: { collection: 'orders', ...options } });
  if (read === null) throw new Error('asks for nothing');
  return read;
};

describe('what panels read', () => {
  it('single values of the same items are one request', () => {
    const filter = { status: { _eq: 'paid' } };
    const { reads, byPanel } = planReads(
      new Map([
        ['count', asked('metric', {})],
        ['sum', asked('metric', { function: 'sum', field: 'total' })],
        ['average', asked('meter', { function: 'avg', field: 'total', max: 100 })],
        ['paid', asked('metric', { function: 'sum', field: 'total', filter })],
      ]),
    );
    expect(reads.map(({ query }) => query)).toEqual([
      { aggregate: { count: ['*'], sum: ['total'], avg: ['total'] } },
      { aggregate: { sum: ['total'] }, filter },
    ]);
    expect(byPanel.get('average')).toBe(byPanel.get('count'));
    const row = { count: 3, sum: { total: '12.30' }, avg: { total: 4.1 } };
    expect(valueIn(asked('metric', { function: 'sum', field: 'total' }), row)).toBe('12.30');
    expect(valueIn(asked('metric', {}), row)).toBe(3);
  });

  it('the first and the last value are read of one item', () => {
    const { reads } = planReads(new Map([['last', asked('metric', { function: 'last', field: 'total', sortField: 'placed' })]]));
    expect(reads[0]?.query).toEqual({ fields: ['total'], sort: ['-placed'], limit: 1 });
  });

  it('groups are the largest first, a line goes along its axis', () => {
    const bars = asked('bar-chart', { xAxis: 'status', yAxis: 'total', function: 'sum' });
    const line = asked('line-chart', { xAxis: 'year', yAxis: 'total', function: 'sum' });
    const { reads } = planReads(
      new Map([
        ['bars', bars],
        ['line', line],
      ]),
    );
    expect(reads.map(({ query }) => query['sort'])).toEqual([['-sum.total', 'status'], ['year']]);
    expect(
      entriesIn(bars, [
        { status: 'paid', sum: { total: '5' } },
        { status: null, sum: { total: null } },
      ]),
    ).toEqual([{ key: 'paid', value: 5 }]);
  });

  it('a line has a point for each month, empty ones included', () => {
    const line = asked('time-series', { dateField: 'placed', precision: 'month' });
    const rows = [
      { placed_year: 2026, placed_month: 2, count: 4 },
      { placed_year: 2025, placed_month: 12, count: 2 },
    ];
    expect(pointsIn(line, rows).map(({ time, value }) => [new Date(time).toISOString().slice(0, 7), value])).toEqual([
      ['2025-12', 2],
      ['2026-01', 0],
      ['2026-02', 4],
    ]);
  });

  it('weeks are put together of days, across the end of a year, and an average is that of all values', () => {
    const line = asked('time-series', { dateField: 'placed', precision: 'week', function: 'avg', valueField: 'total' });
    expect(planReads(new Map([['line', line]])).reads[0]?.query['aggregate']).toEqual({ sum: ['total'], count: ['total'] });
    const rows = [
      { placed_year: 2026, placed_month: 1, placed_day: 1, sum: { total: '30' }, count: { total: 1 } },
      { placed_year: 2025, placed_month: 12, placed_day: 29, sum: { total: '30' }, count: { total: 3 } },
    ];
    expect(pointsIn(line, rows)).toEqual([{ time: Date.UTC(2025, 11, 29), value: 15 }]);
  });

  it('what is not finished or not known asks for nothing', () => {
    expect(readPanel({ type: 'bar-chart', options: { collection: 'orders' } })).toBeNull();
    expect(readPanel({ type: 'weather', options: { collection: 'orders' } })).toBeNull();
    expect(readPanel({ type: 'metric', options: null })).toBeNull();
  });
});
