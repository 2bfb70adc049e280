// The fields of a collection as its forms show them: in their order, in their groups, with their width. All of that is saved at once and can be
// taken back; only deleting a field is a card.

import { useMemo } from 'react';
import { request } from '../../api/client.js';
import { describeNode } from '../../filter/describe-filter.js';
import { readFilter } from '../../filter/filter-tree.js';
import { Icon } from '../../primitives/icon.js';
import { isGroup } from '../../schema/form-fields.js';
import type { Collection, Field } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import type { ModelMessages } from '../../text/english/model.js';
import { useLanguage } from '../../text/use-text.js';
import type { Placed } from '../arrange.js';
import { ArrangedRows } from '../arranged-rows.js';
import { addCards, useCards } from '../desk/desk.js';
import { type WaitingChange, waitingFor } from '../desk/waiting.js';
import { WaitingBadge, WaitingRow, WaitingRows, WaitingTitle } from '../desk/waiting-rows.js';
import { useModelText, useOpenDesk } from '../model-base.js';
import { useArrangement } from '../use-arrangement.js';
import { useChangeMeta } from '../use-change-meta.js';
import { typeTitle } from './type-select.js';

interface FieldRowsProps {
  readonly collection: Collection;
  readonly onEdit: (field: Field) => void;
  readonly onConditions: (field: Field) => void;
}

export function FieldRows({ collection, onEdit, onConditions }: FieldRowsProps) {
  const text = useModelText();
  const { name, fields, fieldsByName } = collection;
  const cards = useCards();
  const waiting = useMemo(() => waitingFor(cards, name), [cards, name]);
  const stored = useMemo(() => fields.map(placeOf), [fields]);
  const { entries, change } = useArrangement(stored, (places) =>
    request('PATCH', `/fields/${encodeURIComponent(name)}`, {
      // A field without metadata gets it now: the width that Studio guessed stays.
      body: places.map(({ id, parent, sort }) => ({
        field: id,
        meta: { sort, group: parent, width: fieldsByName.get(id)?.width ?? 'full' },
      })),
    }),
  );
  return (
    <>
      <ArrangedRows label={text.fields} entries={entries} titleOf={(id) => fieldsByName.get(id)?.title ?? id} onChange={change}>
        {(id) => {
          const field = fieldsByName.get(id);
          return field === undefined ? null : (
            <FieldRow {...{ collection, field, onEdit, onConditions }} waiting={waiting.fields.get(id) ?? null} />
          );
        }}
      </ArrangedRows>
      <WaitingRows label={text.waitingFields}>
        {waiting.added.map(({ name: added, type, related }) => (
          <WaitingRow key={added} name={added}>
            {related === null ? typeTitle(text, type ?? 'alias') : text.relationTo(related)}
          </WaitingRow>
        ))}
      </WaitingRows>
    </>
  );
}

const placeOf = (field: Field): Placed => ({ id: field.name, parent: field.group, sort: field.sort, isGroup: isGroup(field) });

interface FieldRowProps extends FieldRowsProps {
  readonly field: Field;
  /** What the desk will do to it. */
  readonly waiting: WaitingChange | null;
}

function FieldRow({ collection, field, waiting, onEdit, onConditions }: FieldRowProps) {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const remove = () => {
    const title = text.titles.deleteField(`${collection.name}.${field.name}`);
    addCards([{ title, change: { change: 'delete_field', collection: collection.name, field: field.name } }]);
    openDesk();
  };
  return (
    <>
      <button type="button" className="row-title field-name" title={text.editField(field.title)} onClick={() => onEdit(field)}>
        <WaitingTitle waiting={waiting}>
          <strong>{field.title}</strong> <code className="hint">{field.name}</code>
        </WaitingTitle>
      </button>
      <FieldMarks collection={collection} field={field} waiting={waiting} />
      <span className="field-actions">
        {!isGroup(field) && <WidthSelect collection={collection} field={field} />}
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.conditionsOf(field.title)}
          title={text.conditions}
          onClick={() => onConditions(field)}
        >
          <Icon name="branch" />
        </button>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.deleteField(field.title)}
          disabled={field.isKey || waiting === 'deleted'}
          onClick={remove}
        >
          <Icon name="trash" />
        </button>
      </span>
    </>
  );
}

function FieldMarks({ collection, field, waiting }: Pick<FieldRowProps, 'collection' | 'field' | 'waiting'>) {
  const text = useModelText();
  const language = useLanguage();
  const { schema } = useStudio().boot;
  const { relation, type } = field;
  const related = relation === null ? null : relation.kind === 'm2a' ? null : relation.related;
  const title = isGroup(field) ? text.groupMark : typeTitle(text, type);
  const conditions = describeConditions(text, { schema, language, titleOf: (_, key) => String(key) }, collection, field);
  return (
    <span className="flags field-marks">
      {waiting !== null && <WaitingBadge change={waiting} />}
      <span className="badge plain">{related === null ? title : text.relationTo(schema.get(related)?.title ?? related)}</span>
      {field.isKey && <span className="badge plain">{text.keyMark}</span>}
      {field.required && <span className="badge plain">{text.requiredMark}</span>}
      {field.hidden && field.conditions.length === 0 && <span className="badge plain">{text.hiddenMark}</span>}
      {conditions.map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a condition
        <span key={index} className="badge plain condition-mark" title={words}>
          {words}
        </span>
      ))}
    </span>
  );
}

/** The conditions of a field in words: "shown if Featured is Yes". */
function describeConditions(
  text: ModelMessages,
  words: Parameters<typeof describeNode>[0],
  collection: Collection,
  field: Field,
): readonly string[] {
  return field.conditions.map((condition) => {
    const stored = (condition ?? {}) as Readonly<Record<string, unknown>>;
    const effects = (['hidden', 'readonly', 'required'] as const).flatMap((name) =>
      typeof stored[name] === 'boolean' && stored[name] !== field[name] ? text.conditionEffects[name][stored[name] ? 'on' : 'off'] : [],
    );
    return text.conditionInWords(effects.join(', ') || text.otherOptions, describeNode(words, collection, readFilter(stored['rule'])));
  });
}

function WidthSelect({ collection, field }: { readonly collection: Collection; readonly field: Field }) {
  const text = useModelText();
  const changeMeta = useChangeMeta(collection);
  const known: Readonly<Record<string, string>> = text.widths;
  return (
    <select
      className="input width-select"
      aria-label={text.widthOf(field.title)}
      value={field.width}
      onChange={(event) => changeMeta(field, { width: event.target.value }, { width: field.width }, text.widthSaved(field.title))}
    >
      {!(field.width in known) && <option value={field.width}>{field.width}</option>}
      {Object.entries(known).map(([width, title]) => (
        <option key={width} value={width}>
          {title}
        </option>
      ))}
    </select>
  );
}
