// Paths into JSON values (`colour`, `sizes[0].width`). The grammar is strict so that a path cannot carry a vendor's own path syntax into a
// statement.

import { invalidQuery } from '../errors/service-error.js';

export type JsonPath = readonly (string | number)[];

const step = /(?:^|\.)([\p{L}\p{N}_-]{1,64})|\[(\d{1,6})\]/uy;
const maxSteps = 20;

export function parseJsonPath(text: string): JsonPath {
  const steps: (string | number)[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length && steps.length < maxSteps) {
    const match = step.exec(text);
    if (!match) throw invalidPath(text);
    steps.push(match[1] ?? Number(match[2]));
    if (step.lastIndex === text.length) return checkFirst(steps, text);
  }
  throw invalidPath(text);
}

/** The canonical spelling of a path: `a.b[0]`. */
export function formatJsonPath(path: JsonPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}

function checkFirst(steps: JsonPath, text: string): JsonPath {
  if (steps[0] === '__proto__') throw invalidPath(text);
  return steps;
}

const invalidPath = (text: string) => invalidQuery(`"${text.slice(0, 100)}" is not a JSON path such as "a.b[0]".`);
