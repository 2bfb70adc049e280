import { describe, expect, it } from 'vitest';
import { typedText } from '../../schema/typed.js';
import { CellEdits, type RowsKeeper, type StagedRow } from './cell-edits.js';

const change = (id: string, field: string, base: unknown, value: unknown) => ({ id, key: Number(id), field, base, value });

function memory(): RowsKeeper {
  let kept: readonly (readonly [string, StagedRow])[] = [];
  return {
    read: () => kept,
    write: (rows) => {
      kept = rows;
    },
  };
}

describe('staged cells', () => {
  it('keep the value they were made on, and go when it is typed again', () => {
    const edits = new CellEdits(memory());
    edits.stage([change('1', 'title', 'a', 'b')]);
    edits.stage([change('1', 'title', 'b', 'c')]);
    expect(edits.cell('1', 'title')).toEqual({ base: 'a', value: 'c' });
    edits.stage([change('1', 'title', 'c', 'a')]);
    expect(edits.cellCount).toBe(0);
  });

  it('are undone and redone step by step, a pasted block as one', () => {
    const edits = new CellEdits(memory());
    edits.stage([change('1', 'a', 1, 2), change('2', 'a', 1, 2)]);
    edits.stage([change('1', 'b', 1, 3)]);
    expect(edits.cellCount).toBe(3);
    expect(edits.undo()).toBe(true);
    expect(edits.undo()).toBe(true);
    expect(edits.cellCount).toBe(0);
    expect(edits.undo()).toBe(false);
    expect(edits.redo()).toBe(true);
    expect(edits.cellCount).toBe(2);
  });

  it('come back after a discard, by undo and below what was typed since', () => {
    const edits = new CellEdits(memory());
    edits.stage([change('1', 'a', 1, 2), change('1', 'b', 1, 2)]);
    const bringBack = edits.discard();
    expect(edits.cellCount).toBe(0);
    edits.undo();
    expect(edits.cellCount).toBe(2);
    edits.redo();
    edits.stage([change('1', 'a', 1, 3)]);
    bringBack();
    expect([edits.cell('1', 'a')?.value, edits.cell('1', 'b')?.value]).toEqual([3, 2]);
  });

  it('survive a reload', () => {
    const keeper = memory();
    new CellEdits(keeper).stage([change('1', 'a', null, 'kept')]);
    expect(new CellEdits(keeper).cell('1', 'a')).toEqual({ base: null, value: 'kept' });
  });

  it('keep a text that is no value, marked, beyond a reload', () => {
    const keeper = memory();
    new CellEdits(keeper).stage([change('1', 'a', null, typedText('{"a":', 'json')), change('1', 'b', 1, 2)]);
    const edits = new CellEdits(keeper);
    expect([edits.faults, edits.refusalCount, edits.cellCount]).toEqual([[{ id: '1', field: 'a' }], 1, 2]);
    edits.stage([change('1', 'a', null, { a: 1 })]);
    expect(edits.faults).toEqual([]);
  });

  it('lose their mark when they are changed or taken back', () => {
    const edits = new CellEdits(memory());
    edits.stage([change('1', 'a', 1, 'x'), change('2', 'a', 1, 'y')]);
    edits.refuse([
      { id: '1', field: 'a', message: 'no' },
      { id: '2', field: 'a', message: 'no' },
    ]);
    expect(edits.refusalCount).toBe(2);
    edits.stage([change('1', 'a', 1, 5)]);
    expect([edits.refusal('1', 'a'), edits.refusal('2', 'a')]).toEqual([undefined, 'no']);
    edits.undo();
    edits.undo();
    expect(edits.refusalCount).toBe(0);
  });
});
