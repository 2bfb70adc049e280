import { describe, expect, it } from 'vitest';
import { column } from '../../../../test/fixtures/raw-facts.js';
import { render, sql, trusted } from '../../../core/sql/sql.js';
import { written } from '../../../core/sql/written.js';
import { postgresSyntax } from './syntax.js';

const textOf = (vendor: Readonly<Record<string, string>>, list: boolean): string | null => {
  const x = { sql: trusted('t0."mood"'), type: 'string' as const, column: column('mood', { vendor }) };
  const condition = postgresSyntax.lookUp?.(x, written(list ? ['glad'] : 'glad'), list) ?? null;
  return condition === null ? null : render(sql`${condition}`, (index) => `$${index}`).text;
};

const labels = 'SELECT v FROM unnest(enum_range(NULL::mood)) AS v WHERE v::text =';

describe('a lookup by the value of an enum', () => {
  it('compares the column itself, so that its index serves', () => {
    const vendor = { category: 'E', sqlType: 'mood', exact: 'mood' };
    expect(textOf(vendor, false)).toBe(`t0."mood" = (${labels} $1::text)`);
    expect(textOf(vendor, true)).toBe(`t0."mood" = ANY(ARRAY(${labels} ANY($1::text[])))`);
  });

  it('compares a domain as its enum, and leaves other types alone', () => {
    expect(textOf({ category: 'E', sqlType: 'public_mood', exact: 'mood' }, false)).toBe(`t0."mood"::mood = (${labels} $1::text)`);
    expect(textOf({ category: 'S', sqlType: 'text', exact: 'text' }, false)).toBeNull();
  });
});
