// All collections as the tree at the side shows them: in their order, in folders. Search results are a plain list.

import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { request } from '../api/client.js';
import { PageHead } from '../frame/page-head.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import type { Placed } from './arrange.js';
import { ArrangedRows } from './arranged-rows.js';
import { addCards, useCards } from './desk/desk.js';
import { waitingCollections, waitingFor } from './desk/waiting.js';
import { WaitingBadge, WaitingRow, WaitingRows, WaitingTitle } from './desk/waiting-rows.js';
import { Labelled } from './fields/field-parts.js';
import { modelHref, NameInput, useModelText, useOpenDesk } from './model-base.js';
import { NewCollectionDrawer } from './new-collection.js';
import { useArrangement } from './use-arrangement.js';
import { announceLayout } from './use-change-meta.js';

export function CollectionsPage() {
  const text = useModelText();
  const general = useText();
  const { schema } = useStudio().boot;
  const [searchText, setSearchText] = useState('');
  const [shown, setShown] = useState<'collection' | 'folder' | null>(null);
  const own = useMemo(() => [...schema.values()].filter(({ isSystem }) => !isSystem).toSorted(byPlace), [schema]);
  const lower = searchText.trim().toLowerCase();
  const found = own.filter(({ isFolder, title, name }) => !isFolder && `${title} ${name}`.toLowerCase().includes(lower));
  return (
    <>
      <PageHead title={general.model} request={{ path: '/collections' }}>
        <button type="button" className="button" aria-label={text.newFolder} onClick={() => setShown('folder')}>
          <Icon name="folder" />
          <span className="wide-label">{text.newFolder}</span>
        </button>
        <button type="button" className="button primary" aria-label={text.newCollection} onClick={() => setShown('collection')}>
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
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <Link href="/model/diagram" className="button quiet">
          <Icon name="diagram" />
          {text.diagram}
        </Link>
        <Link href="/model/compare" className="button quiet">
          <Icon name="copy" />
          {text.compare}
        </Link>
      </div>
      <div className="scroll">
        <p className="hint model-hint">{text.hint}</p>
        {lower === '' ? <CollectionRows collections={own} /> : <FoundRows found={found} />}
      </div>
      {shown === 'collection' && <NewCollectionDrawer onClose={() => setShown(null)} />}
      {shown === 'folder' && <FolderDialog onClose={() => setShown(null)} />}
    </>
  );
}

/** As the tree has them. */
const byPlace = (left: Collection, right: Collection): number => left.sort - right.sort || left.title.localeCompare(right.title);

function FoundRows({ found }: { readonly found: readonly Collection[] }) {
  const general = useText();
  const text = useModelText();
  if (found.length === 0) return <p className="hint model-hint">{general.noMatch}</p>;
  return (
    <ul className="field-rows found" aria-label={text.collections}>
      {found.map((collection) => (
        <li key={collection.name}>
          <CollectionRow collection={collection} />
        </li>
      ))}
    </ul>
  );
}

function CollectionRows({ collections }: { readonly collections: readonly Collection[] }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const stored = useMemo(() => placesOf(collections), [collections]);
  const { entries, change } = useArrangement(stored, (places) =>
    request('PATCH', '/collections', {
      body: places.map(({ id, parent, sort }) => ({ collection: id, meta: { sort, group: parent } })),
    }),
  );
  if (entries.length === 0)
    return (
      <>
        <p className="hint model-hint">{text.noCollections}</p>
        <WaitingCollections />
      </>
    );
  return (
    <>
      <ArrangedRows label={text.collections} entries={entries} titleOf={(id) => schema.get(id)?.title ?? id} onChange={change}>
        {(id) => {
          const collection = schema.get(id);
          return collection === undefined ? null : <CollectionRow collection={collection} />;
        }}
      </ArrangedRows>
      <WaitingCollections />
    </>
  );
}

function WaitingCollections() {
  const text = useModelText();
  const created = waitingCollections(useCards());
  return (
    <WaitingRows label={text.waitingCollections}>
      {created.map(({ name, fields }) => (
        <WaitingRow key={name} name={name}>
          {text.fieldsCount(fields)}
        </WaitingRow>
      ))}
    </WaitingRows>
  );
}

/** A collection that holds others counts as a folder, too. */
function placesOf(collections: readonly Collection[]): readonly Placed[] {
  const groups = new Set(collections.map(({ group }) => group));
  return collections.map(({ name, group, sort, isFolder }) => ({
    id: name,
    parent: group,
    sort: sort === Number.MAX_SAFE_INTEGER ? null : sort,
    isGroup: isFolder || groups.has(name),
  }));
}

function CollectionRow({ collection }: { readonly collection: Collection }) {
  const text = useModelText();
  const { name, title, fields, note, hidden, singleton, isFolder } = collection;
  const openDesk = useOpenDesk();
  const waiting = waitingFor(useCards(), name).collection;
  const remove = () => {
    addCards([{ title: text.titles.deleteCollection(name), change: { change: 'delete_collection', collection: name } }]);
    openDesk();
  };
  if (isFolder)
    return (
      <>
        <Icon name="folder" />
        <span className="field-name">
          <strong>{title}</strong> <code className="hint">{name}</code>
        </span>
        <button type="button" className="button quiet icon-only" aria-label={text.deleteField(title)} onClick={remove}>
          <Icon name="trash" />
        </button>
      </>
    );
  return (
    <>
      <Link href={modelHref(name)} className="row-title field-name" draggable={false}>
        <WaitingTitle waiting={waiting}>
          <strong>{title}</strong> <code className="hint">{name}</code>
        </WaitingTitle>
      </Link>
      <span className="field-marks hint">
        {waiting !== null && <WaitingBadge change={waiting} />}
        {text.fieldsCount(fields.length)}
        {hidden && ` · ${text.hiddenMark}`}
        {singleton && ` · ${text.singletonMark}`}
        {note !== null && ` · ${note}`}
      </span>
    </>
  );
}

/** A folder has no table: it needs no card and can be taken back. */
function FolderDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useModelText();
  const { reload } = useStudio();
  const create = async (form: FormData) => {
    const collection = String(form.get('name')).trim();
    await request('POST', '/collections', { body: { collection, schema: null, meta: {} } });
    await reload();
    const undo = async () => {
      await request('DELETE', `/collections/${encodeURIComponent(collection)}`);
      await reload();
    };
    announceLayout(text.folderMade(collection), text.undo, () => void undo().catch((error: Error) => showToast(error.message)));
  };
  return (
    <FormDialog title={text.newFolder} action={text.makeFolder} onSubmit={create} onClose={onClose}>
      <Labelled title={text.name} hint={text.nameHint}>
        {(id) => <NameInput id={id} name="name" required aria-describedby={`${id}-hint`} />}
      </Labelled>
    </FormDialog>
  );
}
