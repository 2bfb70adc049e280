// Which column of the file is which field.

import type { Collection } from '../../schema/model.js';
import { plainText } from '../../schema/templates.js';
import { useLanguage } from '../../text/use-text.js';
import { fillable, type Mapping } from './import-plan.js';
import type { Table } from './read-table.js';
import type { ImportMode } from './run-import.js';

interface MappingStepProps {
  readonly collection: Collection;
  readonly name: string;
  readonly table: Table;
  readonly mapping: Mapping;
  readonly mode: ImportMode;
  readonly onMapping: (mapping: Mapping) => void;
  readonly onMode: (mode: ImportMode) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

export function MappingStep(props: MappingStepProps) {
  const { collection, name, table, mapping, mode, onMapping, onMode, onBack, onNext } = props;
  const { text, number } = useLanguage();
  const fields = fillable(collection);
  const missing = fields.filter((field) => field.required && !mapping.includes(field.name));
  const hasKey = collection.key !== null && mapping.includes(collection.key);
  return (
    <>
      <p>{text.list.fileRows(name, number.format(table.rows.length))}</p>
      <div className="table-scroll">
        <table className="merge">
          <thead>
            <tr>
              <th scope="col">{text.list.fileColumn}</th>
              <th scope="col">{text.list.example}</th>
              <th scope="col">{text.field}</th>
            </tr>
          </thead>
          <tbody>
            {table.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <tr key={index}>
                <th scope="row">{column}</th>
                <td className="example">{exampleOf(table, index)}</td>
                <td>
                  <select
                    className="input"
                    aria-label={text.list.fieldFor(column)}
                    value={mapping[index] ?? ''}
                    onChange={(event) => onMapping(assign(mapping, index, event.target.value))}
                  >
                    <option value="">{text.list.leaveOut}</option>
                    {fields.map((field) => (
                      <option key={field.name} value={field.name}>
                        {field.title}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {missing.length > 0 && <p className="banner amber">{text.list.missingFields(missing.map(({ title }) => title).join(', '))}</p>}
      {hasKey && (
        <label className="switch">
          <input type="checkbox" checked={mode === 'merge'} onChange={(event) => onMode(event.target.checked ? 'merge' : 'add')} />
          {text.list.updateSameKey}
        </label>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onBack}>
          {text.list.otherFile}
        </button>
        <button type="button" className="button primary" disabled={mapping.every((field) => field === null)} onClick={onNext}>
          {text.list.check}
        </button>
      </div>
    </>
  );
}

/** A field takes one column: the one that was chosen last. */
const assign = (mapping: Mapping, index: number, field: string): Mapping =>
  mapping.map((present, place) => (place === index ? (field === '' ? null : field) : present === field ? null : present));

function exampleOf({ rows }: Table, column: number): string {
  const values = rows.slice(0, 50).map((row) => plainText(row[column]));
  return values.find((value) => value !== '')?.slice(0, 80) ?? '';
}
