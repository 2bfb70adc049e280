// How a flow is started by hand: where its button is, and what is asked before.

import { Icon } from '../../primitives/icon.js';
import { isObject, textOf, useAutomationText } from '../automation-data.js';
import type { Options } from '../flow-model.js';
import { Choice, Switch, TextPart } from '../parts.js';
import { PlusLine } from '../steps/chain-input.js';
import { CollectionChecks, ErrorPart } from '../trigger-parts.js';
import { fieldKinds, kindOf, type StoredField, withKind } from './asked-fields.js';

interface ManualFormProps {
  readonly options: Options;
  readonly onChange: (part: Options) => void;
}

export function ManualForm({ options, onChange }: ManualFormProps) {
  const text = useAutomationText();
  const places = ['both', 'item', 'collection'] as const;
  const place = places.find((each) => each === options['location']) ?? 'both';
  const asks = options['requireConfirmation'] === true;
  return (
    <>
      <CollectionChecks options={options} onChange={onChange} />
      <Choice
        label={text.places}
        value={place}
        choices={places.map((each) => [each, text.placeNames[each]])}
        onChange={(location) => onChange({ location })}
      />
      {place !== 'item' && (
        <Switch
          label={text.requireSelection}
          isOn={options['requireSelection'] !== false}
          onChange={(isOn) => onChange({ requireSelection: isOn })}
        />
      )}
      <Switch
        label={text.requireConfirmation}
        isOn={asks}
        onChange={(isOn) => onChange({ requireConfirmation: isOn ? true : undefined })}
      />
      {asks && (
        <>
          <TextPart
            label={text.confirmation}
            value={textOf(options['confirmationDescription'])}
            onChange={(value) => onChange({ confirmationDescription: value === '' ? undefined : value })}
          />
          <AskedFields options={options} onChange={onChange} />
        </>
      )}
      <Switch label={text.async} isOn={options['async'] === true} onChange={(isOn) => onChange({ async: isOn ? true : undefined })} />
      {options['async'] !== true && <ErrorPart options={options} onChange={onChange} />}
    </>
  );
}

function AskedFields({ options, onChange }: ManualFormProps) {
  const text = useAutomationText();
  const fields: readonly StoredField[] = Array.isArray(options['fields']) ? options['fields'].filter(isObject) : [];
  const store = (next: readonly StoredField[]) => onChange({ fields: next.length === 0 ? undefined : next });
  const put = (index: number, field: StoredField) => store(fields.map((each, at) => (at === index ? field : each)));
  const add = () => store([...fields, withKind({ field: freeName(fields), name: '' }, 'text')]);
  return (
    <fieldset className="plain-set flow-lines">
      <legend className="label">{text.askedFields}</legend>
      {fields.map((field, index) => (
        <AskedField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a field
          key={index}
          field={field}
          number={index + 1}
          onChange={(next) => put(index, next)}
          onRemove={() => store(fields.filter((_, at) => at !== index))}
        />
      ))}
      <PlusLine label={text.addField} onClick={add} />
    </fieldset>
  );
}

function freeName(fields: readonly StoredField[]): string {
  const taken = new Set(fields.map(({ field }) => field));
  for (let number = fields.length + 1; ; number += 1) if (!taken.has(`field_${number}`)) return `field_${number}`;
}

interface AskedFieldProps {
  readonly field: StoredField;
  readonly number: number;
  readonly onChange: (field: StoredField) => void;
  readonly onRemove: () => void;
}

function AskedField({ field, number, onChange, onRemove }: AskedFieldProps) {
  const text = useAutomationText();
  const meta = isObject(field['meta']) ? field['meta'] : {};
  const setMeta = (part: Options) => onChange({ ...field, meta: { ...meta, ...part } });
  const kind = kindOf(field);
  const options = isObject(meta['options']) ? meta['options'] : {};
  const choices = Array.isArray(options['choices']) ? options['choices'] : [];
  return (
    <div className="flow-asked">
      <TextPart label={`${text.fieldTitle} ${number}`} value={textOf(field['name'])} onChange={(name) => onChange({ ...field, name })} />
      <TextPart
        label={`${text.key} ${number}`}
        isCode
        value={textOf(field['field'])}
        onChange={(name) => onChange({ ...field, field: name })}
      />
      <Choice
        label={`${text.fieldKind} ${number}`}
        value={kind ?? ''}
        choices={fieldKinds.map((each) => [each, text.fieldKinds[each]])}
        {...(kind === null ? { none: textOf(meta['interface']) } : {})}
        onChange={(next) => onChange(withKind(field, fieldKinds.find((each) => each === next) ?? 'text'))}
      />
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={text.removeField(textOf(field['name']) || textOf(field['field']))}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {kind === 'choice' && (
        <TextPart
          label={`${text.fieldChoices} ${number}`}
          rows={3}
          value={choices.map((each) => (isObject(each) ? textOf(each['value']) : textOf(each))).join('\n')}
          onChange={(typed) => setMeta({ options: { ...options, choices: typed.split('\n').map((value) => ({ value, text: value })) } })}
        />
      )}
      <Switch
        label={`${text.required} ${number}`}
        isOn={meta['required'] === true}
        onChange={(isOn) => setMeta({ required: isOn ? true : undefined })}
      />
    </div>
  );
}
