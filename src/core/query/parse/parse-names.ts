// Lists of names: comma-separated text, a list of texts, or a list of comma-separated texts. Spaces around names and empty names are
// dropped.

import { invalidQuery } from '../../errors/service-error.js';
import { maskEscapes } from '../escape-name.js';
import { splitOutsideCalls } from '../field-ref.js';
import { countNode, type ParseContext } from './parse-context.js';

const noNames: readonly string[] = [];

export function parseNames(value: unknown, parameter: string, context: ParseContext): readonly string[] {
  if (value === undefined || value === null || value === '') return noNames;
  const names: string[] = [];
  if (typeof value === 'string') addNames(names, value, context);
  else if (Array.isArray(value)) for (const part of value) addNames(names, checkText(part, parameter), context);
  else throw notNames(parameter);
  return names;
}

function addNames(names: string[], text: string, context: ParseContext): void {
  for (const part of splitOutsideCalls(maskEscapes(text), ',')) {
    const name = part.trim();
    if (name === '') continue;
    countNode(context);
    names.push(name);
  }
}

function checkText(value: unknown, parameter: string): string {
  if (typeof value !== 'string') throw notNames(parameter);
  return value;
}

const notNames = (parameter: string) => invalidQuery(`"${parameter}" has to be a list of names.`);
