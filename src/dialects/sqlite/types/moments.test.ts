import { describe, expect, it } from 'vitest';
import { findForm, type MomentForm, momentForm, momentKey, storeMoment } from './moments.js';

const columns: readonly (readonly [string, readonly unknown[]])[] = [
  ['seconds', [1709209800, 0, -86400]],
  ['milliseconds', [1709209800123, 0]],
  ['Julian days', [2460370.0208333335, 2440587.5]],
  ['texts without a fraction', ['2024-02-29 12:30:00', '1969-12-31 23:59:59']],
  ['texts with microseconds where there are some', ['2024-02-29 12:30:00.123456', '2024-02-29 12:30:00']],
  ['texts of JavaScript', ['2024-02-29T12:30:00.123Z', '2024-02-29T12:30:00.000Z']],
  ['texts with a zone', ['2024-02-29 12:30:00+00:00', '2024-02-29 12:30:00.500000+00:00']],
  ['dates alone', ['2024-02-29', '1996-07-04']],
];

const formOf = (values: readonly unknown[]): MomentForm => {
  const form = findForm('timestamp', values);
  if (form === null || form === 'text') throw new Error('a form of its own was expected');
  return form;
};

describe('moments of other programs', () => {
  it.each(columns)('in the form %s are stored in the same form', (_name, values) => {
    const form = formOf(values);
    const unit = form.kind === 'number' ? form.unit : null;
    const stored = values.map((value) => storeMoment(momentForm(value as string, unit, 'timestamp') ?? '', form));
    expect(stored.map((value) => (typeof value === 'bigint' ? Number(value) : value))).toEqual(values);
  });

  it('of every form are compared by one text', () => {
    const key = '2024-02-29 12:30:00.000';
    const forms = [
      1709209800,
      1709209800000n,
      '2024-02-29 12:30',
      '2024-02-29T12:30:00Z',
      '2024-02-29 14:30:00+02:00',
      '2024-02-29 14:30:00+0200',
    ];
    for (const value of forms) expect([value, momentKey(value, null)]).toEqual([value, key]);
    expect(momentKey('2024-02-29 12:30:00.123400', null)).toBe('2024-02-29 12:30:00.1234');
    expect(momentKey(86400, 'milliseconds')).toBe('1970-01-01 00:01:26.400');
  });

  it('have no form if the service wrote them, and are text if they are not moments', () => {
    expect(findForm('timestamp', ['2024-02-29 12:30:00.000', null, ''])).toBeNull();
    expect(findForm('date', ['2024-02-29'])).toBeNull();
    expect(findForm('date', ['29/02/2024'])).toBe('text');
    expect(findForm('dateTime', [1709209800, '2024-02-29 12:30:00'])).toMatchObject({ kind: 'number', mixed: true });
    expect(findForm('date', [-14_256_000_000, 0])).toMatchObject({ kind: 'number', unit: 'milliseconds' });
    expect(findForm('date', [86_400, 172_800])).toMatchObject({ kind: 'number', unit: 'seconds' });
    expect(findForm('date', [0])).toMatchObject({ kind: 'number', unit: 'seconds' });
  });

  it('answer text that is not a moment unchanged', () => {
    expect(momentForm('yesterday', null, 'dateTime')).toBe('yesterday');
    expect(momentForm(null, null, 'dateTime')).toBeNull();
    expect(momentForm('2024-02-29 12:30:00.500', null, 'dateTime')).toBe('2024-02-29T12:30:00.5');
  });
});
