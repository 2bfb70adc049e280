import { describe, expect, it } from 'vitest';
import { choicesOf } from '../schema/read-meta.js';
import { boxState, checkedLeaves, toggleBox, valuesOf } from './checkbox-tree-value.js';

const choices =
  choicesOf([
    { value: 'fruit', text: 'Fruit', children: [{ value: 'apple' }, { value: 'pear' }] },
    { value: 'bread', text: 'Bread' },
  ]) ?? [];
const [fruit] = choices;
if (fruit === undefined) throw new Error('no choices');

describe('the values of a tree of checkboxes', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['all', ['apple', 'pear', 'bread'], ['fruit', 'apple', 'pear', 'bread']],
    ['all', ['apple'], ['apple']],
    ['leaf', ['apple', 'pear'], ['apple', 'pear']],
    ['branch', ['apple', 'pear', 'bread'], ['fruit', 'bread']],
    ['branch', ['pear'], ['pear']],
    ['indeterminate', ['pear'], ['fruit', 'pear']],
  ])('%s of %j are %j, and are read back as the same boxes', (combining, leaves, values) => {
    expect(valuesOf(choices, new Set(leaves), combining)).toEqual(values);
    expect([...checkedLeaves(choices, new Set(values), combining)]).toEqual(leaves);
  });

  it('check and uncheck everything below a box', () => {
    const all = toggleBox(fruit, new Set(['bread']), true);
    expect([...all]).toEqual(['bread', 'apple', 'pear']);
    expect(boxState(fruit, all)).toBe('on');
    expect(boxState(fruit, new Set(['pear']))).toBe('part');
    expect([...toggleBox(fruit, all, false)]).toEqual(['bread']);
  });
});
