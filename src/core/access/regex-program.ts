// Compiles a pattern to instructions for the matcher. Counted repetitions are unrolled, within a bound.

import { unreachable } from '../errors/service-error.js';
import type { CharacterTest, RegexNode } from './regex-syntax.js';

export type Instruction =
  | { readonly op: 'character'; readonly test: CharacterTest }
  /** Continue at both. */
  | { readonly op: 'split'; readonly to: readonly [number, number] }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'look'; readonly program: Program; readonly negative: boolean }
  | { readonly op: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'inside' }
  | { readonly op: 'match' };

export type Program = readonly Instruction[];

const maxInstructions = 5000;

/** Returns null when the program would be too long. */
export function compileRegex(node: RegexNode): Program | null {
  try {
    return makeProgram(node);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function makeProgram(node: RegexNode): Program {
  const program: Instruction[] = [];
  emit(program, node);
  push(program, { op: 'match' });
  return program;
}

function emit(program: Instruction[], node: RegexNode): void {
  switch (node.kind) {
    case 'character':
      push(program, { op: 'character', test: node.test });
      return;
    case 'edge':
      push(program, { op: 'edge', edge: node.edge });
      return;
    case 'look':
      push(program, { op: 'look', program: makeProgram(node.node), negative: node.negative });
      return;
    case 'sequence':
      for (const part of node.nodes) emit(program, part);
      return;
    case 'choice':
      emitChoice(program, node.nodes);
      return;
    case 'repeat':
      emitRepeat(program, node.node, node.least, node.most);
      return;
    default:
      unreachable(node);
  }
}

function emitChoice(program: Instruction[], [first, ...rest]: readonly RegexNode[]): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    emit(program, first);
    return;
  }
  const split = reserve(program);
  emit(program, first);
  const jump = reserve(program);
  program[split] = { op: 'split', to: [split + 1, program.length] };
  emitChoice(program, rest);
  program[jump] = { op: 'jump', to: program.length };
}

function emitRepeat(program: Instruction[], node: RegexNode, least: number, most: number | null): void {
  for (let count = 0; count < least; count += 1) emit(program, node);
  if (most === null) {
    emitLoop(program, node);
    return;
  }
  const splits: number[] = [];
  for (let count = least; count < most; count += 1) {
    splits.push(reserve(program));
    emit(program, node);
  }
  for (const split of splits) program[split] = { op: 'split', to: [split + 1, program.length] };
}

function emitLoop(program: Instruction[], node: RegexNode): void {
  const split = reserve(program);
  emit(program, node);
  push(program, { op: 'jump', to: split });
  program[split] = { op: 'split', to: [split + 1, program.length] };
}

/** Reserves an instruction that is filled in once its target is known. */
function reserve(program: Instruction[]): number {
  push(program, { op: 'match' });
  return program.length - 1;
}

function push(program: Instruction[], instruction: Instruction): void {
  if (program.length >= maxInstructions) throw new RangeError('the pattern is too long');
  program.push(instruction);
}
