// The value of a condition, entered as its field needs it: a choice, an item, a number, a moment or "some days ago", one of them or several.

import { useState } from 'react';
import { MomentPicker } from '../interfaces/moment-input.js';
import { ItemPicker } from '../interfaces/relations/item-picker.js';
import { Icon } from '../primitives/icon.js';
import { type Collection, type Field, isNameOf } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { isTyped, type Reading } from '../schema/typed.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { printMoment, readMoment } from '../values/moments.js';
import { printNumber } from '../values/read-number.js';
import { numberReading } from '../values/read-value.js';
import { useTyped } from '../values/use-typed.js';
import { type FilterCondition, operandOf } from './filter-tree.js';
import { isMoment, isNumeric, type Subject } from './operators.js';
import { useTitle } from './use-titles.js';

interface ConditionValueProps {
  readonly subject: Subject;
  readonly condition: FilterCondition;
  /** The id of what is said against the value. */
  readonly refusal: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function ConditionValue({ subject, condition, refusal, onChange }: ConditionValueProps) {
  const text = useText();
  const { operator, value } = condition;
  if (operator === '') return null;
  switch (operandOf(operator)) {
    case 'none':
      return null;
    case 'pair': {
      const [from = '', to = ''] = Array.isArray(value) ? value : [];
      return (
        <span className="condition-pair">
          <OneValue subject={subject} label={text.list.from} refusal={refusal} value={from} onChange={(next) => onChange([next, to])} />
          <OneValue subject={subject} label={text.list.to} refusal={refusal} value={to} onChange={(next) => onChange([from, next])} />
        </span>
      );
    }
    case 'list':
      return <SeveralValues subject={subject} refusal={refusal} values={Array.isArray(value) ? value : []} onChange={onChange} />;
    default:
      return <OneValue subject={subject} label={text.value} refusal={refusal} value={value} onChange={onChange} />;
  }
}

interface OneValueProps {
  readonly subject: Subject;
  readonly label: string;
  readonly refusal: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const refused = (refusal: string | undefined) => ({ 'aria-invalid': refusal !== undefined, 'aria-describedby': refusal });

function OneValue(props: OneValueProps) {
  const text = useText();
  const { subject, label, refusal, value, onChange } = props;
  const { schema } = useStudio().boot;
  const { field, part } = subject;
  const related = field?.relation?.kind === 'm2o' && part === null ? schema.get(field.relation.related) : undefined;
  if (related !== undefined && related.key !== null) return <ItemValue {...props} related={related} relatedKey={related.key} />;
  if (isMoment(subject) && field !== null) return <MomentValue {...props} field={field} />;
  const isBoolean = field?.type === 'boolean' && part === null;
  const options = field === null || part !== null ? null : isBoolean ? booleans(text) : field.choices;
  if (options !== null)
    return (
      <select
        className="input"
        aria-label={label}
        {...refused(refusal)}
        value={plainText(value)}
        onChange={(event) => onChange(isBoolean ? (booleanOf[event.target.value] ?? '') : event.target.value)}
      >
        <option value="">{text.choose}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    );
  return <TextValue {...props} />;
}

/** A text, or a number as people write it. What is none yet is not asked for. */
function TextValue({ subject, label, refusal, value, onChange }: OneValueProps) {
  const language = useLanguage();
  const { field, part } = subject;
  const type = part === null ? (field?.type ?? '') : 'integer';
  const isNumber = isNumeric(subject);
  const read = (text: string): Reading => {
    if (text.trim() === '' || text.startsWith('$')) return { value: text, fault: null };
    if (type === 'uuid') return { value: text, fault: isUuid(text) ? null : 'part' };
    if (!isNumber) return { value: text, fault: null };
    const reading = numberReading(type, text, language);
    return reading.fault === null ? { value: String(reading.value), fault: null } : reading;
  };
  const typed = useTyped(value, (held) => (isNumber && !isTyped(held) ? printNumber(held, language) : plainText(held)), read, onChange);
  return (
    <input
      className="input"
      aria-label={label}
      {...refused(refusal)}
      autoComplete="off"
      inputMode={isNumber ? 'decimal' : undefined}
      value={typed.text}
      onChange={(event) => typed.change(event.target.value)}
      onBlur={typed.leave}
    />
  );
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text.trim());

const booleanOf: Readonly<Record<string, boolean>> = { true: true, false: false };

const booleans = (text: { readonly yes: string; readonly no: string }) => [
  { value: 'true', text: text.yes },
  { value: 'false', text: text.no },
];

/** An item found by typing. The filter holds its key; the title of one that a link brought is asked for. */
function ItemValue({
  label,
  refusal,
  value,
  related,
  relatedKey,
  onChange,
}: OneValueProps & { readonly related: Collection; readonly relatedKey: string }) {
  const text = useText();
  const title = useTitle(related, value);
  const isMe = value === '$CURRENT_USER';
  return (
    <span className="condition-item">
      <ItemPicker
        label={{ 'aria-label': label }}
        describedBy={refusal}
        isRefused={refusal !== undefined}
        placeholder={text.choose}
        related={related}
        relatedKey={relatedKey}
        current={isMe ? text.list.me : title}
        currentKey={plainText(value) === '' ? null : plainText(value)}
        onPick={(item) => onChange(item[relatedKey])}
        onClear={plainText(value) === '' ? undefined : () => onChange('')}
      />
      {isNameOf('users', related.name) && !isMe && (
        <button type="button" className="button small" onClick={() => onChange('$CURRENT_USER')}>
          {text.list.me}
        </button>
      )}
    </span>
  );
}

/** A moment of the calendar, or one that moves along with the present. */
function MomentValue({ field, label, refusal, value, onChange }: OneValueProps & { readonly field: Field }) {
  const text = useText();
  const moved = /^\$NOW(?:\(([+-]?)(\d+) days?\))?$/.exec(plainText(value));
  const mode = moved === null ? 'exact' : moved[2] === undefined ? 'now' : moved[1] === '-' ? 'ago' : 'ahead';
  const days = moved?.[2] ?? '7';
  const change = (next: string, count = days) => {
    const values: Readonly<Record<string, string>> = { exact: '', now: '$NOW', ago: `$NOW(-${count} days)`, ahead: `$NOW(+${count} days)` };
    onChange(values[next] ?? '');
  };
  return (
    <span className="condition-moment">
      {field.type !== 'time' && (
        <select className="input" aria-label={text.list.momentKind} value={mode} onChange={(event) => change(event.target.value)}>
          <option value="exact">{text.list.exactDate}</option>
          <option value="now">{text.list.now}</option>
          <option value="ago">{text.list.daysAgo('…')}</option>
          <option value="ahead">{text.list.daysAhead('…')}</option>
        </select>
      )}
      {mode === 'exact' && <ExactMoment {...{ field, label, refusal, value, onChange }} />}
      {(mode === 'ago' || mode === 'ahead') && (
        <input
          className="input"
          aria-label={text.list.days}
          type="number"
          min="0"
          value={days}
          onChange={(event) => change(mode, event.target.value.replaceAll(/\D/g, '') || '0')}
        />
      )}
    </span>
  );
}

/** What is no moment yet is not asked for. */
function ExactMoment({ field: { type }, label, refusal, value, onChange }: Omit<OneValueProps, 'subject'> & { readonly field: Field }) {
  const language = useLanguage();
  const read = (text: string): Reading => {
    const { value: moment, fault } = readMoment(type, text, language);
    return { value: moment ?? '', fault };
  };
  const typed = useTyped(value, (held) => printMoment(type, held, language), read, onChange);
  return (
    <span className="with-action">
      <input
        className="input"
        aria-label={label}
        {...refused(refusal)}
        autoComplete="off"
        value={typed.text}
        onChange={(event) => typed.change(event.target.value)}
        onBlur={typed.leave}
      />
      <MomentPicker type={type} value={value} onPick={(text) => onChange(read(text).value)} />
    </span>
  );
}

interface SeveralValuesProps {
  readonly subject: Subject;
  readonly refusal: string | undefined;
  readonly values: readonly unknown[];
  readonly onChange: (values: readonly unknown[]) => void;
}

/** Several values of which one has to match. Choices are boxes to tick; other values are added one by one. */
function SeveralValues({ subject, refusal, values, onChange }: SeveralValuesProps) {
  const text = useText();
  const [typed, setTyped] = useState<unknown>('');
  const choices = subject.part === null ? (subject.field?.choices ?? null) : null;
  const toggle = (value: string) =>
    onChange(values.some((each) => plainText(each) === value) ? values.filter((each) => plainText(each) !== value) : [...values, value]);
  if (choices !== null && subject.field?.relation === null)
    return (
      <span className="condition-several">
        {choices.map((choice) => (
          <label key={choice.value} className="switch">
            <input type="checkbox" checked={values.some((each) => String(each) === choice.value)} onChange={() => toggle(choice.value)} />
            {choice.text}
          </label>
        ))}
      </span>
    );
  const add = (value: unknown) => {
    if (plainText(value) === '' || values.some((each) => plainText(each) === plainText(value))) return;
    onChange([...values, value]);
    setTyped('');
  };
  const isPicked = subject.field?.relation?.kind === 'm2o' && subject.part === null;
  return (
    <span className="condition-several">
      {values.map((value) => (
        <span key={plainText(value)} className="chip">
          <SeveralTitle subject={subject} value={value} />
          <button
            type="button"
            className="chip-remove"
            aria-label={`${text.removeFromList}: ${plainText(value)}`}
            onClick={() => toggle(plainText(value))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <form
        className="condition-item"
        onSubmit={(event) => {
          event.preventDefault();
          add(typed);
        }}
        // What was typed counts, whether or not it was added.
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && add(typed)}
      >
        <OneValue
          subject={subject}
          label={text.value}
          refusal={refusal}
          value={typed}
          onChange={(next) => (isPicked ? add(next) : setTyped(next))}
        />
        {!isPicked && (
          <button type="submit" className="button small">
            {text.list.addValue}
          </button>
        )}
      </form>
    </span>
  );
}

function SeveralTitle({ subject: { field }, value }: { readonly subject: Subject; readonly value: unknown }) {
  const { schema } = useStudio().boot;
  const related = field?.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
  return related === undefined || related.key === null ? plainText(value) : <RelatedTitle related={related} value={value} />;
}

function RelatedTitle({ related, value }: { readonly related: Collection; readonly value: unknown }) {
  return useTitle(related, value);
}
