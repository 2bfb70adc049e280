// One collection of the model: its fields in their order, and its settings.

import { useState } from 'react';
import { Link } from 'wouter';
import { request } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection, Field } from '../schema/model.js';
import { NothingHere } from '../shell/nothing-here.js';
import { PageHead } from '../shell/page-head.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { CollectionSettings } from './collection-settings.js';
import { addCards } from './desk.js';
import { FieldDrawer } from './field-drawer.js';
import { useModelText, useOpenDesk } from './model-base.js';
import { RelationDrawer } from './relation-drawer.js';

type Shown = { readonly kind: 'field'; readonly field: Field | null } | { readonly kind: 'relation' | 'settings' } | null;

export function CollectionModel({ name }: { readonly name: string }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const collection = schema.get(name);
  const [shown, setShown] = useState<Shown>(null);
  if (collection === undefined) return <NothingHere message={text.gone} way={{ title: text.back, href: '/model' }} />;
  const close = () => setShown(null);
  return (
    <>
      <PageHead
        title={
          <>
            <Link href="/model" className="crumb" aria-label={text.back}>
              <span className="narrow-label">
                <Icon name="back" />
              </span>
              <span className="wide-label">{text.back} /</span>
            </Link>{' '}
            {collection.title}
          </>
        }
      >
        <Link href={`/c/${encodeURIComponent(name)}`} className="button quiet" aria-label={text.openItems}>
          <Icon name="table" />
          <span className="wide-label">{text.openItems}</span>
        </Link>
        <button type="button" className="button" aria-label={text.settings} onClick={() => setShown({ kind: 'settings' })}>
          <Icon name="edit" />
          <span className="wide-label">{text.settings}</span>
        </button>
      </PageHead>
      <div className="toolbar">
        <button type="button" className="button primary" onClick={() => setShown({ kind: 'field', field: null })}>
          <Icon name="plus" />
          {text.newField}
        </button>
        <button type="button" className="button" onClick={() => setShown({ kind: 'relation' })}>
          <Icon name="plus" />
          {text.newRelation}
        </button>
      </div>
      <div className="scroll">
        <FieldRows collection={collection} onEdit={(field) => setShown({ kind: 'field', field })} />
      </div>
      {shown?.kind === 'field' && <FieldDrawer collection={collection} field={shown.field} onClose={close} />}
      {shown?.kind === 'relation' && <RelationDrawer here={collection} onClose={close} />}
      {shown?.kind === 'settings' && <CollectionSettings collection={collection} onClose={close} />}
    </>
  );
}

function FieldRows({ collection, onEdit }: { readonly collection: Collection; readonly onEdit: (field: Field) => void }) {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const reorder = useReorder(collection);
  const [dragged, setDragged] = useState<string | null>(null);
  const { fields } = collection;
  const remove = (field: Field) => {
    const title = text.titles.deleteField(`${collection.name}.${field.name}`);
    addCards([{ title, change: { change: 'delete_field', collection: collection.name, field: field.name } }]);
    openDesk();
  };
  const moveTo = (name: string, target: number) => {
    const names = fields.map((field) => field.name).filter((each) => each !== name);
    void reorder(names.toSpliced(target, 0, name));
  };
  return (
    <ul className="field-rows" aria-label={text.fields}>
      {fields.map((field, index) => (
        <li
          key={field.name}
          draggable
          data-dragged={dragged === field.name}
          onDragStart={() => setDragged(field.name)}
          onDragEnd={() => setDragged(null)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged !== null && dragged !== field.name && moveTo(dragged, index)}
        >
          <button type="button" className="row-title field-name" title={text.editField(field.title)} onClick={() => onEdit(field)}>
            <strong>{field.title}</strong> <code className="hint">{field.name}</code>
          </button>
          <FieldMarks field={field} />
          <span className="field-actions">
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={text.moveUp(field.title)}
              disabled={index === 0}
              onClick={() => moveTo(field.name, index - 1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={text.moveDown(field.title)}
              disabled={index === fields.length - 1}
              onClick={() => moveTo(field.name, index + 1)}
            >
              <Icon name="down" />
            </button>
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={text.deleteField(field.title)}
              disabled={field.isKey}
              onClick={() => remove(field)}
            >
              <Icon name="trash" />
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function FieldMarks({ field }: { readonly field: Field }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const { relation, type } = field;
  const related = relation === null ? null : relation.kind === 'm2a' ? null : relation.related;
  const title = text.types[type as keyof typeof text.types] ?? type;
  return (
    <span className="flags field-marks">
      <span className="badge plain">{related === null ? title : text.relationTo(schema.get(related)?.title ?? related)}</span>
      {field.isKey && <span className="badge plain">{text.keyMark}</span>}
      {field.required && <span className="badge plain">{text.requiredMark}</span>}
      {field.hidden && <span className="badge plain">{text.hiddenMark}</span>}
    </span>
  );
}

/** The order is no structure: it is saved at once, and can be taken back. */
function useReorder(collection: Collection): (names: readonly string[]) => Promise<void> {
  const text = useModelText();
  const general = useText();
  const { reload } = useStudio();
  const save = async (names: readonly string[]) => {
    const body = names.map((field, index) => ({ field, meta: { sort: index + 1 } }));
    await request('PATCH', `/fields/${encodeURIComponent(collection.name)}`, { body });
    reload();
  };
  return async (names) => {
    const before = collection.fields.map(({ name }) => name);
    try {
      await save(names);
      showToast(text.moved, { label: text.undo, run: () => void save(before) });
    } catch (error) {
      showToast(error instanceof Error ? error.message : general.unreachable);
    }
  };
}
