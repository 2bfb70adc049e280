// Which columns a list shows, and in which order.

import { useState } from 'react';
import { isToMany, relatedTo } from '../../filter/operators.js';
import { Icon } from '../../primitives/icon.js';
import { escapeName, splitPath } from '../../schema/field-path.js';
import type { Collection, Field } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import { type Column, makeColumns, usualColumns } from '../columns.js';

interface ColumnsMenuProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly onChange: (names: readonly string[] | null) => void;
}

export function ColumnsMenu({ collection, columns, onChange }: ColumnsMenuProps) {
  const text = useText();
  const [searchText, setSearchText] = useState('');
  const names = columns.map(({ name }) => name);
  const set = (next: readonly string[]) => onChange(next.join() === usualColumns(collection).join() ? null : next);
  const move = (index: number, step: number) => {
    const name = names[index];
    if (name !== undefined) set(names.toSpliced(index, 1).toSpliced(index + step, 0, name));
  };
  return (
    <div className="columns-menu">
      <h2>{text.columns}</h2>
      <ul className="related-list" aria-label={text.list.shownColumns}>
        {columns.map(({ name, title }, index) => (
          <li key={name}>
            <span className="row-title">{title}</span>
            <button
              type="button"
              className="button quiet icon-only small"
              aria-label={`${text.moveUp}: ${title}`}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              className="button quiet icon-only small"
              aria-label={`${text.moveDown}: ${title}`}
              disabled={index === columns.length - 1}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </button>
            <button
              type="button"
              className="button quiet icon-only small"
              aria-label={text.list.hideColumn(title)}
              disabled={columns.length === 1}
              onClick={() => set(names.toSpliced(index, 1))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <input
        className="input"
        type="search"
        placeholder={text.list.findField}
        aria-label={text.list.findField}
        value={searchText}
        onChange={(event) => setSearchText(event.target.value)}
      />
      <FieldOptions
        collection={collection}
        prefix=""
        searchText={searchText.toLowerCase()}
        shown={new Set(names)}
        onAdd={(name) => set([...names, name])}
      />
      <button type="button" className="button quiet small" onClick={() => onChange(null)}>
        {text.list.usualColumns}
      </button>
    </div>
  );
}

interface FieldOptionsProps {
  readonly collection: Collection;
  readonly prefix: string;
  readonly searchText: string;
  readonly shown: ReadonlySet<string>;
  readonly onAdd: (name: string) => void;
}

/** Fields that can be added; those of related items open below the relation. */
function FieldOptions({ collection, prefix, searchText, shown, onAdd }: FieldOptionsProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const [opened, setOpened] = useState<string | null>(null);
  const fields = collection.fields.filter(
    (field) => makeColumns(schema, collection, [field.name]).some(({ field: found }) => found === field) && isShowable(field),
  );
  const mayOpen = (field: Field) =>
    field.relation?.kind === 'm2o' && relatedTo(schema, field) !== undefined && splitPath(prefix).length < 3;
  const addable = fields.filter((field) => mayOpen(field) || !shown.has(`${prefix}${escapeName(field.name)}`));
  const found = addable.filter(
    ({ title, name }) => searchText === '' || title.toLowerCase().includes(searchText) || name.toLowerCase().includes(searchText),
  );
  return (
    <ul className="field-options">
      {found.map((field) => {
        const name = `${prefix}${escapeName(field.name)}`;
        const related = mayOpen(field) ? relatedTo(schema, field) : undefined;
        return (
          <li key={name}>
            <div className="field-option">
              <button
                type="button"
                className="row-title"
                disabled={shown.has(name) || (prefix !== '' && isToMany(field))}
                onClick={() => onAdd(name)}
              >
                <Icon name={shown.has(name) ? 'check' : 'plus'} />
                {field.title}
              </button>
              {related !== undefined && (
                <button
                  type="button"
                  className="button quiet icon-only small"
                  aria-expanded={opened === name}
                  aria-label={text.list.fieldOf(field.title)}
                  onClick={() => setOpened(opened === name ? null : name)}
                >
                  <Icon name="chevron" />
                </button>
              )}
            </div>
            {opened === name && related !== undefined && (
              <FieldOptions collection={related} prefix={`${name}.`} searchText="" shown={shown} onAdd={onAdd} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const isShowable = ({ special, type, relation }: Field): boolean =>
  !special.includes('no-data') && (type !== 'alias' || relation !== null) && relation?.kind !== 'm2a' && type !== 'hash';
