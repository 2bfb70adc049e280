// What the check found: how many rows can be imported, and each row that cannot, with the reason.

import type { Collection } from '../../schema/model.js';
import { plainText } from '../../schema/templates.js';
import { useLanguage } from '../../text/use-text.js';
import type { EmptyCells, Mapping, RowRefusal } from './import-plan.js';
import type { Table } from './read-table.js';

interface RefusalsStepProps {
  readonly collection: Collection;
  readonly table: Table;
  readonly mapping: Mapping;
  readonly refusals: readonly RowRefusal[];
  readonly empty: readonly EmptyCells[];
  readonly onBack: () => void;
  /** The rows to import. */
  readonly onImport: (rows: readonly number[]) => void;
}

const mostShown = 200;

export function RefusalsStep({ collection, table, mapping, refusals, empty, onBack, onImport }: RefusalsStepProps) {
  const { text, number } = useLanguage();
  const refused = new Set(refusals.map(({ row }) => row));
  const rows = refused.has(-1) ? [] : [...table.rows.keys()].filter((row) => !refused.has(row));
  const cellOf = ({ row, field }: RowRefusal): string => plainText(table.rows[row]?.[mapping.indexOf(field)]);
  return (
    <>
      <p role="status">
        <strong>{text.list.rowsFit(number.format(rows.length), number.format(table.rows.length))}</strong>
      </p>
      {empty.length > 0 && (
        <ul className="hint">
          {empty.map(({ field, becomes, count }) => (
            <li key={field.name}>{text.list.emptyCells[becomes](number.format(count), field.title)}</li>
          ))}
        </ul>
      )}
      {refusals.length > 0 && (
        <div className="table-scroll">
          <table className="merge" aria-label={text.list.refusedRows}>
            <thead>
              <tr>
                <th scope="col">{text.list.rowNumber}</th>
                <th scope="col">{text.field}</th>
                <th scope="col">{text.value}</th>
                <th scope="col">{text.list.reason}</th>
              </tr>
            </thead>
            <tbody>
              {refusals.slice(0, mostShown).map((refusal, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row may be refused for several reasons
                <tr key={index}>
                  <td>{refusal.row < 0 ? '' : number.format(refusal.row + 1)}</td>
                  <td>{collection.fieldsByName.get(refusal.field ?? '')?.title ?? ''}</td>
                  <td className="example">{cellOf(refusal).slice(0, 80)}</td>
                  <td className="refusal-cell">{refusal.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {refusals.length > mostShown && <p className="hint">{text.list.moreRefusals(number.format(refusals.length - mostShown))}</p>}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onBack}>
          {text.list.back}
        </button>
        <button type="button" className="button primary" disabled={rows.length === 0} onClick={() => onImport(rows)}>
          {text.list.importRows(number.format(rows.length))}
        </button>
      </div>
    </>
  );
}
