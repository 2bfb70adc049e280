// The editor of a cell that refers to an item: found by typing.

import { useLayoutEffect, useRef, useState } from 'react';
import { ItemPicker } from '../../interfaces/relations/item-picker.js';
import { plainText, renderTemplate, templateOf } from '../../schema/templates.js';
import { isTyped } from '../../schema/typed.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { CellEditorProps } from './grid-props.js';

export function RelationEditor({ field, value, typed: begun, onCommit, onCancel }: CellEditorProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const place = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  const [typed, setTyped] = useState(begun);
  useLayoutEffect(() => place.current?.querySelector('input')?.focus(), []);
  const related = field.relation?.kind === 'm2o' ? schema.get(field.relation.related) : undefined;
  if (related === undefined || related.key === null) return null;
  const { key } = related;
  const present = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { [key]: value };
  const title = isTyped(value)
    ? value.text
    : value === null || value === undefined
      ? ''
      : renderTemplate(templateOf(related), present) || plainText(present[key]);
  const finish = (act: () => void) => {
    if (isDone.current) return;
    isDone.current = true;
    act();
  };
  const pick = (item: unknown) => finish(() => onCommit({ value: item, fault: null }, null));
  // Text that nothing was picked for stays in the cell, marked.
  const leave = () => finish(() => (typed === null ? onCancel() : onCommit({ value: typed, fault: 'choose' }, null)));
  return (
    <div
      ref={place}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') finish(onCancel);
      }}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && leave()}
    >
      <ItemPicker
        label={{ 'aria-label': field.title }}
        placeholder={text.choose}
        related={related}
        relatedKey={key}
        current={title}
        currentKey={isTyped(value) || value === null || value === undefined ? null : plainText(present[key])}
        kept={{ text: typed, onType: setTyped }}
        onPick={pick}
        onClear={value === null || value === undefined ? undefined : () => pick(null)}
      />
    </div>
  );
}
