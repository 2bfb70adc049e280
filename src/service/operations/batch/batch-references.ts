// References between the operations of a batch: `{"$ref": "a.data.id"}` is replaced by that value of the answer of operation "a".

import { invalidPayload } from '../../../core/errors/service-error.js';

/** `answers`: the bodies of the operations so far, by their ids. */
export function resolveReferences(value: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolveReferences(entry, answers));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === '$ref') return follow(entries[0][1], answers);
  return Object.fromEntries(entries.map(([name, entry]) => [name, resolveReferences(entry, answers)]));
}

function follow(reference: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (typeof reference !== 'string') throw invalidPayload('"$ref" has to be a text such as "a.data.id".');
  const [id = '', ...path] = reference.split('.');
  if (!answers.has(id)) throw invalidPayload(`"$ref" names "${id.slice(0, 60)}", and no earlier operation has this id.`);
  let at = answers.get(id);
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step))
      throw invalidPayload(`"$ref" asks for "${reference.slice(0, 100)}", which the operation did not answer.`);
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}
