import { describe, expect, it } from 'vitest';
import { type OperatorName, operators } from '../../query/operators.js';
import type { FieldType } from './field-type.js';
import { columnTypes } from './field-type.js';
import { fitsOperator, fitsValidation, operandType, operatorsOf } from './operator-types.js';

describe('operators per type', () => {
  it.each<[OperatorName, FieldType, boolean]>([
    ['_contains', 'string', true],
    ['_gt', 'string', false],
    ['_contains', 'integer', false],
    ['_between', 'decimal', true],
    ['_contains', 'timestamp', true],
    ['_starts_with', 'timestamp', false],
    ['_in', 'boolean', true],
    ['_gt', 'boolean', false],
    ['_eq', 'boolean', true],
    ['_eq', 'uuid', true],
    ['_contains', 'uuid', false],
    ['_eq', 'json', false],
    ['_null', 'json', true],
    ['_eq', 'hash', false],
    ['_empty', 'hash', true],
    ['_null', 'alias', true],
    ['_eq', 'alias', false],
    ['_eq', 'unknown', true],
    ['_lt', 'unknown', false],
    ['_intersects', 'geometry.Point', true],
    ['_intersects', 'string', false],
    ['_regex', 'string', false],
  ])('%s on %s: %s', (operator, type, fits) => {
    expect(fitsOperator(operator, type, false)).toBe(fits);
  });

  it('reveal nothing of a concealed value but its presence', () => {
    for (const type of columnTypes) expect([...operatorsOf(type, true)].sort()).toEqual(['_empty', '_nempty', '_nnull', '_null']);
  });

  it('allow null checks everywhere, and patterns only in validation', () => {
    for (const type of columnTypes) expect(fitsOperator('_null', type, false)).toBe(true);
    expect(fitsValidation('_regex', 'string')).toBe(true);
    expect(fitsValidation('_regex', 'integer')).toBe(false);
    expect(fitsValidation('_submitted', 'json')).toBe(true);
  });

  it('read the operand of text operators as text', () => {
    expect(operandType('_contains', 'timestamp')).toBe('string');
    expect(operandType('_gt', 'timestamp')).toBe('timestamp');
  });

  it('are known, every one of them', () => {
    for (const type of columnTypes) for (const operator of operatorsOf(type, false)) expect(operators).toHaveProperty(operator);
  });
});
