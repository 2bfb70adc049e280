// Every kind of operation that a flow can have, by its name.

import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { renderJson, renderTemplate } from '../chain/render-template.js';
import { computeSteps } from './compute-steps.js';
import { itemSteps } from './item-steps.js';
import { outwardSteps } from './outward-steps.js';
import { scriptSteps } from './script-step.js';
import { serviceSteps } from './service-steps.js';
import type { StepType } from './step.js';
import { tokenSteps } from './token-step.js';

const stepTypes: ReadonlyMap<string, StepType> = new Map(
  Object.entries({ ...computeSteps, ...itemSteps, ...outwardSteps, ...scriptSteps, ...serviceSteps, ...tokenSteps }),
);

export const findStepType = (name: string): StepType | null => stepTypes.get(name) ?? null;

/** The options of an operation with the values of the run in them. */
export function renderOptions({ documents, raw }: StepType, options: PlainObject, chain: PlainObject): PlainObject {
  const rendered = Object.entries(options).map(([name, option]) => {
    if (raw.includes(name)) return [name, option] as const;
    return [
      name,
      documents.includes(name) && !isPlainObject(option) ? renderJson(emptyAsNull(option), chain) : renderTemplate(option, chain),
    ] as const;
  });
  return Object.fromEntries(rendered);
}

/** A form that was left empty sends an empty text, which is no JSON. */
const emptyAsNull = (option: unknown): unknown => (option === '' ? null : option);
