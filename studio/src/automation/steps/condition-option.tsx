// The filter of a condition: rows that all have to hold. What rows cannot say is edited as JSON.

import { useState } from 'react';
import { Icon } from '../../primitives/icon.js';
import { useText } from '../../text/use-text.js';
import { useAutomationText } from '../automation-data.js';
import { ChainInput, PlusLine } from './chain-input.js';
import { type ConditionRow, conditionOperators, isFinishedRow, printConditions, readConditions, takesValue } from './condition-rows.js';
import { JsonOption } from './json-option.js';
import type { OptionProps } from './step-kinds.js';

export function ConditionOption(props: OptionProps) {
  const text = useAutomationText();
  const { label, value, isChecked, onChange, onFinished } = props;
  const [read] = useState(() => readConditions(value));
  const [rows, setRows] = useState<readonly ConditionRow[]>(() => (read?.length === 0 ? [noCondition] : (read ?? [])));
  const [asJson, setAsJson] = useState(read === null);
  if (asJson) return <JsonOption {...props} />;
  const change = (next: readonly ConditionRow[]) => {
    setRows(next);
    const isWhole = next.every(isFinishedRow);
    onFinished(isWhole);
    if (isWhole) onChange(printConditions(next));
  };
  return (
    <fieldset className="plain-set flow-lines">
      <legend className="label">{label}</legend>
      <p className="hint">{text.allConditions}</p>
      {rows.map((row, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a condition
          key={index}
          row={row}
          number={index + 1}
          isMarked={isChecked && !isFinishedRow(row)}
          onChange={(next) =>
            change(next === null ? rows.filter((_, at) => at !== index) : rows.map((each, at) => (at === index ? next : each)))
          }
        />
      ))}
      <div className="flow-line-buttons">
        <PlusLine label={text.addCondition} onClick={() => change([...rows, noCondition])} />
        <button type="button" className="button quiet small" disabled={!rows.every(isFinishedRow)} onClick={() => setAsJson(true)}>
          <Icon name="code" />
          {text.asJson}
        </button>
      </div>
    </fieldset>
  );
}

const noCondition: ConditionRow = { path: '', operator: '_eq', value: '' };

interface RowProps {
  readonly row: ConditionRow;
  readonly number: number;
  readonly isMarked: boolean;
  readonly onChange: (row: ConditionRow | null) => void;
}

function Row({ row, number, isMarked, onChange }: RowProps) {
  const text = useAutomationText();
  const operators: Readonly<Record<string, string | undefined>> = useText().operators;
  return (
    <div className="flow-line condition-line">
      <ChainInput
        isUnlabelled
        id={`condition-path-${number}`}
        label={`${text.path} ${number}`}
        placeholder="$trigger.payload.status"
        isPath
        value={row.path}
        isRefused={isMarked}
        onChange={(path) => onChange({ ...row, path })}
      />
      <select
        className="input"
        aria-label={`${text.operator} ${number}`}
        value={row.operator}
        onChange={(event) => onChange({ ...row, operator: event.target.value })}
      >
        {conditionOperators.map((operator) => (
          <option key={operator} value={operator}>
            {operators[operator] ?? operator}
          </option>
        ))}
      </select>
      {takesValue(row.operator) && (
        <ChainInput
          isUnlabelled
          id={`condition-value-${number}`}
          label={`${text.value} ${number}`}
          placeholder={text.value}
          value={row.value}
          onChange={(value) => onChange({ ...row, value })}
        />
      )}
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={`${text.removeCondition} ${number}`}
        onClick={() => onChange(null)}
      >
        <Icon name="close" />
      </button>
      {isMarked && (
        <p className="refusal" role="alert">
          {text.unfinished}
        </p>
      )}
    </div>
  );
}
