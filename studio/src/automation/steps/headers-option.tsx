// The headers of a request, in lines of a name and a value. Stored as the list that other applications know.

import { Icon } from '../../primitives/icon.js';
import { isObject, textOf, useAutomationText } from '../automation-data.js';
import { ChainInput, PlusLine } from './chain-input.js';
import type { OptionProps } from './step-kinds.js';

interface HeaderLine {
  readonly header: string;
  readonly value: string;
}

export function HeadersOption({ label, value, onChange }: OptionProps) {
  const text = useAutomationText();
  const lines = linesOf(value);
  const change = (next: readonly HeaderLine[]) => onChange(next.length === 0 ? undefined : next);
  const put = (index: number, part: Partial<HeaderLine>) => change(lines.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className="plain-set flow-lines">
      <legend className="label">{label}</legend>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a line
        <div key={index} className="flow-line">
          <input
            className="input code"
            dir="ltr"
            aria-label={`${text.header} ${index + 1}`}
            placeholder={text.header}
            value={line.header}
            onChange={(event) => put(index, { header: event.target.value })}
          />
          <ChainInput
            isUnlabelled
            id={`header-${index}`}
            label={`${text.value} ${index + 1}`}
            isCode
            value={line.value}
            onChange={(typed) => put(index, { value: typed })}
          />
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.removeField(line.header || `${text.header} ${index + 1}`)}
            onClick={() => change(lines.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <PlusLine label={text.addHeader} onClick={() => change([...lines, { header: '', value: '' }])} />
    </fieldset>
  );
}

function linesOf(value: unknown): readonly HeaderLine[] {
  if (Array.isArray(value)) return value.filter(isObject).map((line) => ({ header: textOf(line['header']), value: textOf(line['value']) }));
  return isObject(value) ? Object.entries(value).map(([header, each]) => ({ header, value: textOf(each) })) : [];
}
