// The editor of a cell that refers to an item: found by typing.

import { useLayoutEffect, useRef } from 'react';
import { ItemPicker } from '../../interfaces/relations/item-picker.js';
import { plainText, renderTemplate, templateOf } from '../../schema/templates.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { CellEditorProps } from './cell-editor.js';

export function RelationEditor({ field, value, onCommit, onCancel }: CellEditorProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.querySelector('input')?.focus(), []);
  const related = field.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
  if (related === undefined || related.key === null) return null;
  const { key } = related;
  const present = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { [key]: value };
  const title = value === null || value === undefined ? '' : renderTemplate(templateOf(related), present) || plainText(present[key]);
  return (
    <div
      ref={place}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onCancel();
      }}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onCancel()}
    >
      <ItemPicker
        label={{ 'aria-label': field.title }}
        placeholder={text.choose}
        related={related}
        relatedKey={key}
        current={title}
        currentKey={value === null || value === undefined ? null : plainText(present[key])}
        onPick={(item) => onCommit({ value: item, fault: null }, null)}
        onClear={value === null || value === undefined ? undefined : () => onCommit({ value: null, fault: null }, null)}
      />
    </div>
  );
}
