// When forms show a field, demand a value or let it be changed: rules about the other values of the item, each with what it changes. Saved at
// once: forms obey from then on.

import { lazy, Suspense, useState } from 'react';
import { isFinished } from '../../filter/filter-tree.js';
import { Icon } from '../../primitives/icon.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import type { Collection, Field } from '../../schema/model.js';
import { useText } from '../../text/use-text.js';
import { useModelText } from '../model-base.js';
import { useChangeMeta } from '../use-change-meta.js';
import { type EditedCondition, newCondition, type Override, overrides, readConditions, storeCondition } from './field-conditions.js';
import { Labelled } from './field-parts.js';

const FilterBuilder = lazy(async () => ({ default: (await import('../../filter/filter-builder.js')).FilterBuilder }));

interface ConditionsDrawerProps {
  readonly collection: Collection;
  readonly field: Field;
  readonly onClose: () => void;
}

export function ConditionsDrawer({ collection, field, onClose }: ConditionsDrawerProps) {
  const text = useModelText();
  const general = useText();
  const changeMeta = useChangeMeta(collection);
  const isFirst = field.conditions.length === 0;
  const [conditions, setConditions] = useState<readonly EditedCondition[]>(() =>
    isFirst ? [newCondition(collection, field, 0)] : readConditions(field),
  );
  const before = { hidden: field.hidden, readonly: field.readonly, required: field.required };
  // "Show it if" means nothing for a field that is shown anyway.
  const [usual, setUsual] = useState<Readonly<Record<Override, boolean>>>({ ...before, hidden: isFirst || field.hidden });
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    const unfinished = conditions.findIndex(({ rule }) => !isFinished(rule));
    setChecked(true);
    if (unfinished !== -1) {
      setRefusal(text.emptyCondition(unfinished + 1));
      return;
    }
    const stored = conditions.map(storeCondition);
    const changed = overrides.filter((name) => usual[name] !== before[name]);
    const pick = (values: Readonly<Record<Override, boolean>>) => Object.fromEntries(changed.map((name) => [name, values[name]]));
    setSaving(true);
    const isStored = await changeMeta(
      field,
      { conditions: stored.length === 0 ? null : stored, ...pick(usual) },
      { conditions: isFirst ? null : field.stored?.['conditions'], ...pick(before) },
      text.conditionsSaved(field.title),
    );
    setSaving(false);
    if (isStored) onClose();
  };
  const add = () => setConditions([...conditions, newCondition(collection, field, Math.max(0, ...conditions.map(({ id }) => id)) + 1)]);
  const foot = (
    <>
      <p className="hint">{conditions.length > 1 && text.lastWins}</p>
      <button type="button" className="button" onClick={onClose}>
        {general.cancel}
      </button>
      <button type="button" className="button primary" disabled={isSaving} onClick={save}>
        {text.saveConditions}
      </button>
    </>
  );
  return (
    <SideDrawer title={text.conditionsOf(field.title)} isWide foot={foot} onClose={onClose}>
      <div className="model-form">
        {refusal !== null && (
          <p className="refusal" role="alert">
            {refusal}
          </p>
        )}
        {conditions.map((condition, index) => (
          <ConditionCard
            key={condition.id}
            collection={collection}
            condition={condition}
            number={index + 1}
            isChecked={isChecked}
            onChange={(edits) => {
              setRefusal(null);
              setConditions((present) => present.map((each) => (each.id === condition.id ? { ...each, ...edits } : each)));
            }}
            onRemove={() => setConditions(conditions.filter((each) => each !== condition))}
          />
        ))}
        <div>
          <button type="button" className="button small" onClick={add}>
            <Icon name="plus" />
            {text.newCondition}
          </button>
        </div>
        <fieldset className="plain-set change-card">
          <legend className="label">{conditions.length === 0 ? text.always : text.otherwise}</legend>
          <div className="effects">
            {overrides.map((name) => (
              <EffectSelect
                key={name}
                name={name}
                value={usual[name]}
                isOptional={false}
                onChange={(value) => setUsual({ ...usual, [name]: value === true })}
              />
            ))}
          </div>
        </fieldset>
      </div>
    </SideDrawer>
  );
}

interface ConditionCardProps {
  readonly collection: Collection;
  readonly condition: EditedCondition;
  readonly number: number;
  readonly isChecked: boolean;
  readonly onChange: (edits: Partial<EditedCondition>) => void;
  readonly onRemove: () => void;
}

function ConditionCard({ collection, condition, number, isChecked, onChange, onRemove }: ConditionCardProps) {
  const text = useModelText();
  const { effects } = condition;
  return (
    <section className="change-card" aria-label={text.conditionNumber(number)}>
      <header>
        <h3>{condition.name || text.conditionNumber(number)}</h3>
        <button type="button" className="button quiet icon-only" aria-label={text.removeCondition(number)} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      </header>
      <strong className="label">{text.when}</strong>
      <Suspense fallback={null}>
        <FilterBuilder collection={collection} filter={condition.rule} isChecked={isChecked} onChange={(rule) => onChange({ rule })} />
      </Suspense>
      <strong className="label">{text.thenIs}</strong>
      <div className="effects">
        {overrides.map((name) => (
          <EffectSelect
            key={name}
            name={name}
            value={effects[name]}
            isOptional
            onChange={(value) => onChange({ effects: { ...effects, [name]: value } })}
          />
        ))}
      </div>
    </section>
  );
}

interface EffectSelectProps {
  readonly name: Override;
  readonly value: boolean | null;
  /** Whether it may stay as it usually is. */
  readonly isOptional: boolean;
  readonly onChange: (value: boolean | null) => void;
}

function EffectSelect({ name, value, isOptional, onChange }: EffectSelectProps) {
  const text = useModelText();
  const words = text.conditionEffects[name];
  return (
    <Labelled title={words.title}>
      {(id) => (
        <select
          id={id}
          className="input"
          value={value === null ? '' : value ? 'on' : 'off'}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value === 'on')}
        >
          {isOptional && <option value="">{text.asOtherwise}</option>}
          <option value="off">{words.off}</option>
          <option value="on">{words.on}</option>
        </select>
      )}
    </Labelled>
  );
}
