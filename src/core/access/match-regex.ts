// Matches `_regex` of validation rules. Patterns come from administrators and texts from clients, so the matcher never tries the same
// instruction at the same position twice: its time is bounded by the length of the pattern times the length of the text.

import { compileRegex, type Instruction, type Program } from './regex-program.js';
import { parseRegex } from './regex-syntax.js';

/** The cost limit of one match; only lookaheads inside of repetitions come near it. */
const maxSteps = 1_000_000;
const delimited = /^\/(.*)\/([ismu]*)$/s;
const wordCharacter = /^\w$/;

/** `pattern` is plain or enclosed in slashes with flags. An invalid pattern, or a text too long for it, does not match. */
export function matchesRegex(pattern: string, text: string): boolean {
  const [, source = pattern, flags = ''] = delimited.exec(pattern) ?? [];
  const node = parseRegex(source, flags);
  const program = node === null ? null : compileRegex(node);
  // Refused before the text is split when the table of visited states alone would exceed the limit; a character has at most two code units.
  if (program === null || (program.length * text.length) / 32 > maxSteps) return false;
  return search({ characters: [...text], multiline: flags.includes('m'), steps: maxSteps }, program, 0, false);
}

interface Subject {
  readonly characters: readonly string[];
  readonly multiline: boolean;
  /** The steps left before the match is given up. */
  steps: number;
}

/** Whether the program matches at `from` or, unless `anchored`, at any later position. */
function search(subject: Subject, program: Program, from: number, anchored: boolean): boolean {
  const width = subject.characters.length + 1;
  const size = program.length * width;
  subject.steps -= size / 16;
  if (subject.steps < 0) return false;
  const tried = new Uint8Array(size);
  const last = anchored ? from : subject.characters.length;
  for (let start = from; start <= last; start += 1) {
    if (run(subject, program, start, tried, width)) return true;
  }
  return false;
}

function run(subject: Subject, program: Program, start: number, tried: Uint8Array, width: number): boolean {
  const ways: number[] = [start];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    if (tried[way] === 1) continue;
    tried[way] = 1;
    subject.steps -= 1;
    if (subject.steps < 0) return false;
    const index = Math.floor(way / width);
    const at = way % width;
    const instruction = program[index];
    if (instruction === undefined || instruction.op === 'match') return true;
    for (const [next, place] of step(subject, instruction, index, at)) ways.push(next * width + place);
  }
  return false;
}

const nowhere: readonly (readonly [number, number])[] = [];

/** The next states, each an instruction and a position in the text. */
function step(
  subject: Subject,
  instruction: Exclude<Instruction, { op: 'match' }>,
  index: number,
  at: number,
): readonly (readonly [number, number])[] {
  const character = subject.characters[at];
  switch (instruction.op) {
    case 'character':
      return character !== undefined && instruction.test(character) ? [[index + 1, at + 1]] : nowhere;
    case 'split':
      return instruction.to.map((next) => [next, at] as const);
    case 'jump':
      return [[instruction.to, at]];
    case 'edge':
      return isEdge(subject, instruction.edge, at) ? [[index + 1, at]] : nowhere;
    case 'look':
      return search(subject, instruction.program, at, true) !== instruction.negative ? [[index + 1, at]] : nowhere;
  }
}

function isEdge({ characters, multiline }: Subject, edge: 'start' | 'end' | 'word' | 'inside', at: number): boolean {
  const before = characters[at - 1];
  const after = characters[at];
  if (edge === 'start') return before === undefined || (multiline && before === '\n');
  if (edge === 'end') return after === undefined || (multiline && after === '\n');
  const isBoundary = wordCharacter.test(before ?? '') !== wordCharacter.test(after ?? '');
  return isBoundary === (edge === 'word');
}
