// The data model: all collections, one collection with its fields, and the desk over both.

import { useCallback, useState } from 'react';
import { Link, Route, Switch } from 'wouter';
import { Icon } from '../primitives/icon.js';
import { PageHead } from '../shell/page-head.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { CollectionModel } from './collection-model.js';
import { DeskDrawer } from './desk-drawer.js';
import { DeskBar, DeskContext, useModelText } from './model-base.js';
import { NewCollectionDrawer } from './new-collection.js';
import './model.css';

export function ModelPages() {
  const [isOpen, setOpen] = useState(false);
  const openDesk = useCallback(() => setOpen(true), []);
  return (
    <DeskContext value={openDesk}>
      <Switch>
        <Route path="/model">
          <CollectionsPage />
        </Route>
        <Route path="/model/:collection">
          {({ collection }) => <CollectionModel key={collection} name={decodeURIComponent(collection)} />}
        </Route>
      </Switch>
      <DeskBar />
      {isOpen && <DeskDrawer onClose={() => setOpen(false)} />}
    </DeskContext>
  );
}

function CollectionsPage() {
  const text = useModelText();
  const general = useText();
  const { schema } = useStudio().boot;
  const [sought, setSought] = useState('');
  const [isNew, setNew] = useState(false);
  const lower = sought.trim().toLowerCase();
  const found = [...schema.values()]
    .filter(({ isSystem, isFolder, title, name }) => !isSystem && !isFolder && `${title} ${name}`.toLowerCase().includes(lower))
    .toSorted((left, right) => left.title.localeCompare(right.title));
  return (
    <>
      <PageHead title={general.model}>
        <button type="button" className="button primary" aria-label={text.newCollection} onClick={() => setNew(true)}>
          <Icon name="plus" />
          <span className="wide-label">{text.newCollection}</span>
        </button>
      </PageHead>
      <div className="toolbar">
        <input
          className="input search"
          type="search"
          placeholder={text.findCollection}
          aria-label={text.findCollection}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      </div>
      <div className="scroll">
        <p className="hint model-hint">{text.hint}</p>
        {found.length === 0 && <p className="hint model-hint">{general.noMatch}</p>}
        <ul className="cards home-cards">
          {found.map(({ name, title, fields, note, hidden, singleton }) => (
            <li key={name}>
              <Link href={`/model/${encodeURIComponent(name)}`}>
                <strong>{title}</strong>
                <span className="hint">
                  <code>{name}</code> · {text.fieldsCount(fields.length)}
                  {hidden && ` · ${text.hiddenMark}`}
                  {singleton && ` · ${text.singletonMark}`}
                </span>
                {note !== null && <span className="hint">{note}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {isNew && <NewCollectionDrawer onClose={() => setNew(false)} />}
    </>
  );
}
