// The indexes of a collection in its model: which fields they hold, what rests on them, and cards to add and remove one.

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { request } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { useText } from '../text/use-text.js';
import { addCards } from './desk/desk.js';
import { createIndexCard, deleteIndexCard } from './index-cards.js';
import './indexes.css';
import { NameInput, ReviewFoot, useModelText, useOpenDesk } from './model-base.js';

interface Index {
  readonly name: string;
  readonly fields: readonly string[];
  readonly unique: boolean;
  readonly backs: 'primary_key' | 'unique_constraint' | 'foreign_key' | null;
  readonly definition: string | null;
}

export function IndexRows({ collection }: { readonly collection: Collection }) {
  const text = useModelText();
  const general = useText();
  const [isNew, setNew] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['indexes', collection.name],
    queryFn: async () => (await request<readonly Index[]>('GET', `/indexes/${encodeURIComponent(collection.name)}`)).data,
  });
  const id = useId();
  return (
    <section className="index-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{text.indexes}</h2>
        {!collection.isSystem && (
          <button type="button" className="button small" onClick={() => setNew(true)}>
            <Icon name="plus" />
            {text.newIndex}
          </button>
        )}
      </header>
      <p className="hint">{text.indexesHint}</p>
      {error !== null && (
        <p className="banner" role="alert">
          {error.message}
        </p>
      )}
      {error === null && data === undefined && <p className="hint">{general.loading}</p>}
      {data?.length === 0 && <p className="hint">{text.noIndexes}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="index-rows" aria-label={text.indexes}>
          {data.map((index) => (
            <IndexRow key={index.name} collection={collection} index={index} />
          ))}
        </ul>
      )}
      {isNew && <IndexDrawer collection={collection} onClose={() => setNew(false)} />}
    </section>
  );
}

function IndexRow({ collection, index }: { readonly collection: Collection; readonly index: Index }) {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const { name, fields, unique, backs, definition } = index;
  const remove = () => {
    addCards([deleteIndexCard(text, collection.name, name)]);
    openDesk();
  };
  return (
    <li>
      <span className="index-fields">
        <strong>{fields.map((field) => collection.fieldsByName.get(field)?.title ?? field).join(', ') || '–'}</strong>{' '}
        <code className="hint">{definition ?? name}</code>
      </span>
      <span className="flags">
        {unique && backs !== 'primary_key' && <span className="badge plain">{text.uniqueMark}</span>}
        {backs !== null && <span className="badge plain">{text.backs[backs]}</span>}
      </span>
      {!collection.isSystem && (
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.deleteIndex(name)}
          title={backs === null ? text.deleteIndex(name) : text.keptIndex}
          disabled={backs !== null}
          onClick={remove}
        >
          <Icon name="trash" />
        </button>
      )}
    </li>
  );
}

const mostFields = 16;

function IndexDrawer({ collection, onClose }: { readonly collection: Collection; readonly onClose: () => void }) {
  const text = useModelText();
  const openDesk = useOpenDesk();
  const id = useId();
  const [fields, setFields] = useState<readonly string[]>(['']);
  const choices = collection.fields.filter(({ type }) => type !== 'alias');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name') ?? '').trim();
    const chosen = fields.filter((field) => field !== '');
    addCards([
      createIndexCard(text, collection.name, { fields: chosen, unique: form.get('unique') !== null, ...(name === '' ? {} : { name }) }),
    ]);
    onClose();
    openDesk();
  };
  const set = (place: number, field: string) => setFields(fields.with(place, field));
  return (
    <SideDrawer title={text.newIndex} foot={<ReviewFoot form={`${id}-form`} onClose={onClose} />} onClose={onClose}>
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        <fieldset className="plain-set">
          <legend className="label">{text.fields}</legend>
          {fields.map((field, place) => (
            <select
              // biome-ignore lint/suspicious/noArrayIndexKey: a place in the index is what the control is for
              key={place}
              className="input"
              aria-label={text.indexField(place + 1)}
              required={place === 0}
              value={field}
              onChange={(event) => set(place, event.target.value)}
            >
              <option value="">{text.none}</option>
              {choices
                .filter(({ name }) => name === field || !fields.includes(name))
                .map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
            </select>
          ))}
          <button
            type="button"
            className="button small"
            disabled={fields.includes('') || fields.length >= Math.min(mostFields, choices.length)}
            onClick={() => setFields([...fields, ''])}
          >
            <Icon name="plus" />
            {text.moreFields}
          </button>
          <p className="hint">{text.indexOrder}</p>
        </fieldset>
        <label className="switch check-line">
          <input type="checkbox" name="unique" />
          {text.uniqueIndex}
        </label>
        <div>
          <label className="label" htmlFor={`${id}-name`}>
            {text.indexName}
          </label>
          <NameInput id={`${id}-name`} name="name" />
        </div>
      </form>
    </SideDrawer>
  );
}
