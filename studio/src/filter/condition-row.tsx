// One condition: where its path leads, what is asked, and the value.

import { useId } from 'react';
import { FieldFault } from '../interfaces/field-fault.js';
import { Icon } from '../primitives/icon.js';
import { escapeName } from '../schema/field-path.js';
import type { Collection, Field } from '../schema/model.js';
import { isTyped } from '../schema/typed.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { ConditionValue } from './condition-value.js';
import { type FilterCondition, operandOf } from './filter-tree.js';
import {
  filterableFields,
  firstOperator,
  isToMany,
  operatorsOf,
  partOfStep,
  partsOf,
  relatedTo,
  splitPart,
  subjectOf,
} from './operators.js';

interface ConditionRowProps {
  readonly collection: Collection;
  readonly condition: FilterCondition;
  /** Says what is missing. */
  readonly isMarked: boolean;
  readonly onChange: (condition: FilterCondition | null) => void;
}

export function ConditionRow({ collection, condition, isMarked, onChange }: ConditionRowProps) {
  const text = useText();
  const id = useId();
  const { schema } = useStudio().boot;
  const subject = subjectOf(schema, collection, condition.path);
  const operators = operatorsOf(subject);
  const fault = [condition.value].flat().find(isTyped);
  const isForeign = condition.operator !== '' && !operators.some((each) => each === condition.operator);
  const setPath = (path: readonly string[]) => {
    const next = subjectOf(schema, collection, path);
    const isSame = path.join('.') === condition.path.join('.');
    // "Is empty" was asked of the field before; of another one it would be true at once.
    const isKept = isSame || operandOf(condition.operator) !== 'none';
    const kept = isKept ? operatorsOf(next).find((each) => each === condition.operator) : undefined;
    const operator = kept ?? firstOperator(next);
    onChange({ kind: 'condition', path, operator, value: isSame ? condition.value : emptyOperand(operator) });
  };
  const setOperator = (operator: string) =>
    onChange({
      ...condition,
      operator,
      value: operandOf(operator) === operandOf(condition.operator) ? condition.value : emptyOperand(operator),
    });
  return (
    <div className="condition" data-unfinished={isMarked || undefined}>
      <PathSelects collection={collection} path={condition.path} onChange={setPath} />
      <select className="input" aria-label={text.operator} value={condition.operator} onChange={(event) => setOperator(event.target.value)}>
        {condition.operator === '' && <option value="">{text.choose}</option>}
        {isForeign && <option value={condition.operator}>{condition.operator}</option>}
        {operators.map((each) => (
          <option key={each} value={each}>
            {text.operators[each]}
          </option>
        ))}
      </select>
      <ConditionValue
        subject={subject}
        condition={condition}
        refusal={isMarked || fault !== undefined ? `${id}-refusal` : undefined}
        onChange={(value) => onChange({ ...condition, value })}
      />
      <button type="button" className="button quiet icon-only" aria-label={text.removeFilter} onClick={() => onChange(null)}>
        <Icon name="close" />
      </button>
      {fault !== undefined && <FieldFault id={`${id}-refusal`} value={fault} isChecked={isMarked} />}
      {isMarked && fault === undefined && (
        <p className="refusal" id={`${id}-refusal`} role="alert">
          {text.list.unfinished}
        </p>
      )}
    </div>
  );
}

const emptyOperand = (operator: string): unknown => {
  const operand = operandOf(operator);
  return operand === 'none' ? true : operand === 'list' ? [] : operand === 'pair' ? ['', ''] : '';
};

interface PathSelectsProps {
  readonly collection: Collection;
  readonly path: readonly string[];
  readonly onChange: (path: readonly string[]) => void;
}

/** A select for each step: behind a relation another one goes on into the related items. */
function PathSelects({ collection, path, onChange }: PathSelectsProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const steps = path.filter((step) => step !== '_none');
  const isNone = path.includes('_none');
  const rebuild = (names: readonly string[], none: boolean) => onChange(withNone(schema, collection, names, none));
  const places = steps.map((step, index) => {
    const at = index === 0 ? collection : subjectOf(schema, collection, steps.slice(0, index)).collections.at(-1);
    return { step, index, at: at ?? collection };
  });
  const last = subjectOf(schema, collection, steps);
  const next = last.field === null || last.part !== null ? undefined : relatedTo(schema, last.field);
  const parts = last.field === null ? [] : partsOf(last.field);
  const hasList = steps.some((_, index) => {
    const { field, part } = subjectOf(schema, collection, steps.slice(0, index + 1));
    return field !== null && part === null && isToMany(field) && index < steps.length - 1;
  });
  return (
    <span className="condition-path">
      {places.map(({ step, index, at }) => (
        <select
          key={index}
          className="input"
          aria-label={index === 0 ? text.field : text.list.fieldOf(at.title)}
          value={escapeName(partOfStep(at, step).name)}
          onChange={(event) => rebuild([...steps.slice(0, index), event.target.value], isNone)}
        >
          {offered(at, partOfStep(at, step).name).map((field) => (
            <option key={field.name} value={escapeName(field.name)}>
              {field.title}
            </option>
          ))}
        </select>
      ))}
      {(next !== undefined || parts.length > 0) && (
        <select
          className="input"
          aria-label={text.list.detail}
          value={last.part ?? ''}
          onChange={(event) => rebuild(goOn(steps, event.target.value), isNone)}
        >
          <option value="">{next === undefined ? text.list.wholeValue : text.list.theItem}</option>
          {partOptions(last.field, parts, text.list.parts)}
          {next !== undefined &&
            filterableFields(next).map((field) => (
              <option key={field.name} value={`.${escapeName(field.name)}`}>
                › {field.title}
              </option>
            ))}
        </select>
      )}
      {hasList && (
        <select
          className="input"
          aria-label={text.list.quantity}
          value={isNone ? 'none' : 'some'}
          onChange={(event) => rebuild(steps, event.target.value === 'none')}
        >
          <option value="some">{text.list.some}</option>
          <option value="none">{text.list.none}</option>
        </select>
      )}
    </span>
  );
}

/** The fields to choose from; one that is hidden stays while it is chosen. */
function offered(at: Collection, chosen: string): readonly Field[] {
  const fields = filterableFields(at);
  const present = at.fieldsByName.get(chosen);
  return present === undefined || fields.includes(present) ? fields : [present, ...fields];
}

function partOptions(field: Field | null, parts: readonly string[], titles: Readonly<Record<string, string>>) {
  return parts.map((part) => (
    <option key={part} value={`${part}(${escapeName(field?.name ?? '')})`}>
      {titles[part] ?? part}
    </option>
  ));
}

/** The path with a detail of its last step: a field behind it, or a part of it. */
function goOn(steps: readonly string[], detail: string): readonly string[] {
  const last = splitPart(steps.at(-1) ?? '').name;
  if (detail === '') return [...steps.slice(0, -1), last];
  return detail.startsWith('.') ? [...steps.slice(0, -1), last, detail.slice(1)] : [...steps.slice(0, -1), detail];
}

/** `_none` follows the first list of the path. */
function withNone(
  schema: Parameters<typeof subjectOf>[0],
  collection: Collection,
  steps: readonly string[],
  isNone: boolean,
): readonly string[] {
  if (!isNone) return steps;
  const at = steps.findIndex((_, index) => {
    const { field, part } = subjectOf(schema, collection, steps.slice(0, index + 1));
    return field !== null && part === null && isToMany(field);
  });
  return at < 0 || at === steps.length - 1 ? steps : steps.toSpliced(at + 1, 0, '_none');
}
