import { describe, expect, it } from 'vitest';
import type { FieldRef } from '../../query/query.js';
import { findFunction, functionsOf, functionType } from './functions.js';

const ref = (fn: string, args: readonly string[] = []): FieldRef => ({ name: 'x', fn, args, scope: null });

describe('functions of fields', () => {
  it('fit by type', () => {
    expect(findFunction(ref('year'), { kind: 'column', type: 'date' })).toBe('year');
    expect(findFunction(ref('hour'), { kind: 'column', type: 'date' })).toBeNull();
    expect(findFunction(ref('hour'), { kind: 'column', type: 'time' })).toBe('hour');
    expect(findFunction(ref('second'), { kind: 'column', type: 'timestamp' })).toBe('second');
    expect(findFunction(ref('year'), { kind: 'column', type: 'string' })).toBeNull();
    expect(findFunction(ref('half'), { kind: 'column', type: 'date' })).toBeNull();
    expect(findFunction(ref('constructor'), { kind: 'column', type: 'date' })).toBeNull();
    expect(findFunction(ref('count'), { kind: 'relation', type: 'alias' })).toBe('count');
    expect(findFunction(ref('count'), { kind: 'presentation', type: 'alias' })).toBeNull();
  });

  it('need the arguments they take', () => {
    expect(findFunction(ref('json', ['a.b']), { kind: 'column', type: 'json' })).toBe('json');
    expect(findFunction(ref('json'), { kind: 'column', type: 'json' })).toBeNull();
    expect(findFunction(ref('year', ['a']), { kind: 'column', type: 'date' })).toBeNull();
  });

  it('compute nothing from concealed values, and numbers from the rest', () => {
    expect(functionsOf({ kind: 'column', type: 'date', concealed: true })).toEqual([]);
    expect(functionType('count')).toBe('integer');
    expect(functionType('json')).toBe('json');
  });
});
