// A field: what it stores and how forms show it. What is changed becomes one card.

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { request } from '../../api/client.js';
import { SideDrawer } from '../../primitives/side-drawer.js';
import type { Collection, Field } from '../../schema/model.js';
import { useStudio } from '../../studio-context.js';
import { addCards, type Card } from '../desk/desk.js';
import { planRelation, referencePrefix } from '../desk/plan-changes.js';
import { NameInput, ReviewFoot, useModelText, useOpenDesk } from '../model-base.js';
import { changesOf, columnOf, metaOf, type Values } from './field-changes.js';
import { FormPart, Labelled, ValuesPart } from './field-parts.js';
import { TypeSelect } from './type-select.js';

interface FieldDrawerProps {
  readonly collection: Collection;
  /** Null: a new one. */
  readonly field: Field | null;
  readonly onClose: () => void;
}

/** As the API has it; `schema` null: no column. */
export interface StoredField {
  readonly schema: Values | null;
  readonly meta: Values | null;
}

const nothing: StoredField = { schema: { is_nullable: true, max_length: 255 }, meta: {} };

export function FieldDrawer(props: FieldDrawerProps) {
  const { collection, field, onClose } = props;
  const text = useModelText();
  const path = `/fields/${encodeURIComponent(collection.name)}/${encodeURIComponent(field?.name ?? '')}`;
  const { data, error } = useQuery({
    queryKey: ['field', collection.name, field?.name],
    queryFn: async () => (await request<StoredField>('GET', path)).data,
    enabled: field !== null,
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  });
  const stored = field === null ? nothing : data;
  if (stored !== undefined) return <FieldForm {...props} stored={stored} />;
  return (
    <SideDrawer title={field === null ? text.newField : text.editField(field.title)} onClose={onClose}>
      {error !== null && <p className="refusal">{error.message}</p>}
    </SideDrawer>
  );
}

function FieldForm({ collection, field, stored, onClose }: FieldDrawerProps & { readonly stored: StoredField }) {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const plan = usePlan(collection, field, stored);
  const id = useId();
  const [type, setType] = useState(field?.type ?? 'string');
  const isColumn = stored.schema !== null;
  const isReference = type.startsWith(referencePrefix);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const cards = plan(new FormData(event.currentTarget), type);
    onClose();
    if (cards.length === 0) return;
    addCards(cards);
    openDesk();
  };
  return (
    <SideDrawer
      title={field === null ? text.newField : text.editField(field.title)}
      foot={<ReviewFoot form={`${id}-form`} onClose={onClose} />}
      onClose={onClose}
    >
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        {field === null && <Labelled title={text.name}>{(inputId) => <NameInput id={inputId} name="name" required />}</Labelled>}
        {isColumn && (
          <div>
            <label className="label" htmlFor={`${id}-type`}>
              {text.type}
            </label>
            <TypeSelect id={`${id}-type`} value={type} hasReferences={field === null} onChange={setType} />
          </div>
        )}
        {isColumn && !isReference && <ValuesPart type={type} stored={stored.schema} />}
        {!isReference && <FormPart type={type} stored={stored.meta} />}
      </form>
    </SideDrawer>
  );
}

type NewCards = readonly Omit<Card, 'id'>[];

/** The cards that a filled form makes; none when nothing was changed. */
function usePlan(collection: Collection, field: Field | null, stored: StoredField): (form: FormData, type: string) => NewCards {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const { name: owner } = collection;
  const create = (form: FormData, type: string): NewCards => {
    const name = String(form.get('name')).trim();
    const there = type.startsWith(referencePrefix) ? schema.get(type.slice(1)) : undefined;
    if (there !== undefined)
      return planRelation(schema, text, {
        kind: 'm2o',
        here: collection,
        there,
        field: name,
        other: '',
        junction: '',
        onDelete: 'SET NULL',
      });
    const data = { field: name, type, schema: columnOf(form, type), meta: metaOf(form, null) };
    return [{ title: text.titles.createField(`${owner}.${name}`), change: { change: 'create_field', collection: owner, data } }];
  };
  const update = (form: FormData, type: string, { name, type: before }: Field): NewCards => {
    const columns = stored.schema === null ? {} : changesOf(columnOf(form, type), stored.schema);
    const meta = changesOf(metaOf(form, stored.meta), stored.meta);
    const data = {
      ...(type === before ? {} : { type }),
      ...(Object.keys(columns).length === 0 ? {} : { schema: columns }),
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    };
    if (Object.keys(data).length === 0) return [];
    return [
      { title: text.titles.updateField(`${owner}.${name}`), change: { change: 'update_field', collection: owner, field: name, data } },
    ];
  };
  return (form, type) => (field === null ? create(form, type) : update(form, type, field));
}
