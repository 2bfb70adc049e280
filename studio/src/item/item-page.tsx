// One item: its form, its title and what can be done with it. A singleton has no list and no other items.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'wouter';
import { ApiError } from '../api/client.js';
import { ManualFlows } from '../automation/manual/manual-flows.js';
import { browserKeeper, DraftStore, useChangeCount } from '../draft/draft-store.js';
import type { Item } from '../draft/item.js';
import { Form } from '../form/form.js';
import { type LoadedItem, queryOfForm, readItem } from '../form/read-item.js';
import { useDiscard } from '../form/use-discard.js';
import { useFirstFocus } from '../form/use-first-focus.js';
import { NothingHere } from '../frame/nothing-here.js';
import { Crumb, type HeadAction, PageHead } from '../frame/page-head.js';
import { Icon, type IconName } from '../primitives/icon.js';
import { keyOfAddress, keySegment, keyText } from '../schema/item-key.js';
import { type Collection, systemCollection } from '../schema/model.js';
import { newItem } from '../schema/new-item.js';
import { renderTemplate, templateOf } from '../schema/templates.js';
import { itemsPath, useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { useVersions } from '../versions/use-versions.js';
import { VersionBar } from '../versions/version-bar.js';
import { AlsoOpen } from './also-open.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DeleteButton } from './delete-button.js';
import { draftPlace } from './draft-place.js';
import { FormNotices } from './form-notices.js';
import type { SaveTarget } from './item-saver.js';
import { MissingItem, wayTo } from './missing-item.js';
import { useLiveItem } from './use-live-item.js';
import { useSave } from './use-save.js';
import '../form/form.css';

const HiddenFields = lazy(async () => ({ default: (await import('../see-as/hidden-fields.js')).HiddenFields }));
const UnseenItem = lazy(async () => ({ default: (await import('../see-as/unseen-item.js')).UnseenItem }));
const ItemAccess = lazy(async () => ({ default: (await import('../see-as/item-access.js')).ItemAccess }));
const TalkDrawer = lazy(async () => ({ default: (await import('../talk/talk-drawer.js')).TalkDrawer }));
const SharesDrawer = lazy(async () => ({ default: (await import('../shares/shares-drawer.js')).SharesDrawer }));
const HistoryDrawer = lazy(async () => ({ default: (await import('../history/history-drawer.js')).HistoryDrawer }));

/** The item named by the address: `+` is a new one, nothing a singleton. */
export function ItemPage({ name, itemKey }: { readonly name: string; readonly itemKey: string | null }) {
  const text = useText();
  const { schema } = useStudio().boot;
  const collection = schema.get(decodeURIComponent(name));
  if (collection === undefined) return <NothingHere message={text.pageNotFound} />;
  return <Addressed collection={collection} itemKey={itemKey === null ? null : keyOfAddress(itemKey)} />;
}

/** The one item of a collection, by a form that is arranged elsewhere. */
export const SingletonForm = ({ collection, toolbar }: { readonly collection: Collection; readonly toolbar: ReactNode }) => (
  <Addressed collection={collection} itemKey={null} toolbar={toolbar} />
);

interface AddressedProps {
  readonly collection: Collection;
  readonly itemKey: string | null;
  /** Between the head and the form. */
  readonly toolbar?: ReactNode;
}

function Addressed({ collection, itemKey, toolbar }: AddressedProps) {
  const path = itemsPath(collection);
  const target = useMemo((): SaveTarget => {
    if (itemKey === null) return { kind: 'singleton', path };
    return itemKey === '+' ? { kind: 'new', path } : { kind: 'item', path: `${path}/${keySegment(collection, itemKey)}` };
  }, [collection, path, itemKey]);
  const [address] = useSearchParams();
  const version = address.get('version');
  if (itemKey === '+') return <NewItem collection={collection} target={target} />;
  if (version !== null && itemKey !== null && collection.versioning)
    return <VersionOfItem key={version} collection={collection} target={target} itemKey={itemKey} version={version} />;
  return <StoredItem collection={collection} target={target} itemKey={itemKey} toolbar={toolbar} />;
}

function NewItem({ collection, target }: { readonly collection: Collection; readonly target: SaveTarget }) {
  const { permissions } = useStudio().boot;
  const loaded = useMemo((): LoadedItem => ({ item: newItem(collection, permissions), etag: null }), [collection, permissions]);
  return <Editor collection={collection} target={target} loaded={loaded} />;
}

function VersionOfItem({ collection, target, itemKey, version }: StoredItemProps & { readonly itemKey: string; readonly version: string }) {
  const text = useText();
  const versions = useVersions(collection, itemKey);
  const found = versions?.find(({ key }) => key === version);
  const versioned = useMemo((): SaveTarget | null => {
    if (found === undefined) return null;
    const savePath = `/versions/${encodeURIComponent(found.id)}/save`;
    return { kind: 'version', path: target.path, version: { key: found.key, savePath } };
  }, [target.path, found]);
  if (versions === undefined) return <PageHead title={collection.title} />;
  if (versioned === null) return <NothingHere message={text.versionGone} way={wayTo(collection)} />;
  return <StoredItem collection={collection} target={versioned} itemKey={itemKey} />;
}

interface StoredItemProps {
  readonly collection: Collection;
  readonly target: SaveTarget;
  readonly itemKey: string | null;
  readonly toolbar?: ReactNode;
}

function StoredItem({ collection, target, itemKey, toolbar }: StoredItemProps) {
  const { schema, seen, me } = useStudio().boot;
  const place = `${seen?.target ?? me.id} ${target.path} ${target.version?.key ?? ''}`;
  // Shows an item that was read recently at once, and reads it again in the background.
  const { data, error } = useQuery({
    queryKey: ['page', place],
    queryFn: () => readItem(schema, collection, target.path, target.version?.key),
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: kept,
  });
  useForgetDraft(place, error !== null);
  if (error instanceof ApiError && error.status === 403 && itemKey !== null && seen !== null)
    return (
      <Suspense fallback={null}>
        <UnseenItem seen={seen} collection={collection} itemKey={itemKey} />
      </Suspense>
    );
  if (error instanceof ApiError && error.status === 403 && itemKey !== null)
    return <MissingItem collection={collection} itemKey={itemKey} />;
  if (error !== null) return <NothingHere message={error.message} way={wayTo(collection)} />;
  if (data === undefined) return <PageHead title={collection.title} />;
  return <Editor key={place} collection={collection} target={target} loaded={data} place={place} toolbar={toolbar} />;
}

const kept = 300_000;

/** Removes an item from the cache if it is known to have changed since it was read. */
function useForgetDraft(place: string | undefined, isOutdated: boolean): void {
  const cache = useQueryClient();
  const latest = useRef(isOutdated);
  latest.current = isOutdated;
  useEffect(
    () => () => {
      if (place !== undefined && latest.current) cache.removeQueries({ queryKey: ['page', place] });
    },
    [cache, place],
  );
}

interface EditorProps {
  readonly collection: Collection;
  readonly target: SaveTarget;
  readonly loaded: LoadedItem;
  /** The place of the item in the cache. */
  readonly place?: string;
  readonly toolbar?: ReactNode;
}

function Editor({ collection, target, loaded, place, toolbar }: EditorProps) {
  const text = useText();
  const may = useMay();
  const { me, isAdmin, seen, schema } = useStudio().boot;
  const { kind } = target;
  const request = kind === 'new' ? {} : { request: { path: target.path, query: queryOfForm(schema, collection, target.version?.key) } };
  const store = useMemo(
    // While seeing as another person, the administrator's own drafts are not shown.
    () => {
      const titleOf = (values: Item) => renderTemplate(templateOf(collection), values);
      return new DraftStore(loaded.item, browserKeeper(draftPlace(seen?.target ?? me.id, collection, target), titleOf));
    },
    [collection, target, loaded, me.id, seen],
  );
  const [saver, { phase, conflict }] = useSave(collection, target, loaded.etag, store);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  useForgetDraft(place, base !== loaded.item);
  const itemKey = kind === 'new' ? null : keyText(collection, base);
  const overtaken = useLiveItem({ collection, target, itemKey, store, saver });
  const isStored = (kind === 'item' || kind === 'singleton') && itemKey !== null;
  const mayWrite = may(collection, kind === 'new' ? 'create' : 'update');
  useSaveKey(saver.save);
  const scroll = useFirstFocus(kind === 'new');
  const [isShared, setShared] = useState(false);
  const isShareable = isStored && !collection.isSystem && seen === null && may(collection, 'share') && may('shares', 'read');
  const share: readonly HeadAction[] = isShareable ? [{ title: text.share, icon: 'link', run: () => setShared(true) }] : [];
  const title = renderTemplate(templateOf(collection), base) || (itemKey ?? '');
  return (
    <>
      <PageHead title={<Title collection={collection} kind={kind} item={base} />} isCrowded={kind !== 'new'} more={share} {...request}>
        {isStored && <AlsoOpen collection={collection} itemKey={itemKey} />}
        {collection.versioning && kind !== 'new' && itemKey !== null && may('versions', 'read') && (
          <VersionBar collection={collection} itemKey={itemKey} />
        )}
        {isStored && may('revisions', 'read') && (
          <SidePart place="history" icon="history">
            {(onClose) => <HistoryDrawer {...{ collection, itemKey, store }} isReadOnly={!mayWrite} onClose={onClose} />}
          </SidePart>
        )}
        {isStored && !collection.isSystem && systemCollection(schema, 'comments') !== undefined && (
          <SidePart place="comments" icon="comment">
            {(onClose) => <TalkDrawer about={{ collection: collection.name, item: itemKey }} onClose={onClose} />}
          </SidePart>
        )}
        {kind === 'item' && itemKey !== null && isAdmin && seen === null && <AccessButton collection={collection} itemKey={itemKey} />}
        {kind === 'item' && itemKey !== null && (
          <ManualFlows collection={collection} place="item" keys={[itemKey]} onDone={() => void saver.follow()} />
        )}
        {kind === 'item' && itemKey !== null && may(collection, 'delete') && (
          <DeleteButton collection={collection} itemKey={itemKey} title={title} />
        )}
        {mayWrite && <SaveButtons store={store} isSaving={phase === 'saving'} onSave={saver.save} />}
      </PageHead>
      {toolbar}
      <div className="scroll" ref={scroll}>
        <FormNotices collection={collection} store={store} isReadOnly={!mayWrite} itemKey={itemKey} overtaken={overtaken} />
        <Form collection={collection} itemKey={itemKey} store={store} isReadOnly={!mayWrite} />
        {seen !== null && (
          <Suspense fallback={null}>
            <HiddenFields seen={seen} collection={collection} itemKey={itemKey} />
          </Suspense>
        )}
      </div>
      {isShared && itemKey !== null && (
        <Suspense fallback={null}>
          <SharesDrawer collection={collection.name} item={itemKey} title={title} onClose={() => setShared(false)} />
        </Suspense>
      )}
      {conflict !== null && <ConflictDialog collection={collection} itemKey={itemKey} merge={conflict.merge} onResolve={saver.resolve} />}
    </>
  );
}

interface SaveButtonsProps {
  readonly store: DraftStore;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

function SaveButtons({ store, isSaving, onSave }: SaveButtonsProps) {
  const text = useText();
  const changes = useChangeCount(store);
  const discard = useDiscard(store);
  return (
    <>
      {changes > 0 && <span className="save-state wide-label">{text.unsaved(changes)}</span>}
      {changes > 0 && (
        <button type="button" className="button quiet" aria-label={text.discard} title={text.discard} onClick={discard}>
          <Icon name="undo" />
          <span className="wide-label">{text.discard}</span>
        </button>
      )}
      <button type="button" className="button primary" disabled={isSaving || changes === 0} onClick={onSave}>
        {isSaving ? text.saving : text.save}
      </button>
    </>
  );
}

interface SidePartProps {
  /** Its name in the address: whether it is open is part of that. */
  readonly place: 'history' | 'comments';
  readonly icon: IconName;
  readonly children: (onClose: () => void) => ReactNode;
}

/** A button of the head, and the drawer that it opens. */
function SidePart({ place, icon, children }: SidePartProps) {
  const { [place]: title } = useText();
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <button type="button" className="button quiet icon-only" aria-label={title} title={title} onClick={() => setSearch({ [place]: '' })}>
        <Icon name={icon} />
      </button>
      {search.has(place) && <Suspense fallback={null}>{children(() => setSearch({}))}</Suspense>}
    </>
  );
}

/** Who may see the item, and why. */
function AccessButton({ collection, itemKey }: { readonly collection: Collection; readonly itemKey: string }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={text.whoMaySee}
        title={text.whoMaySee}
        onClick={() => setOpen(true)}
      >
        <Icon name="key" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ItemAccess collection={collection} itemKey={itemKey} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Title({ collection, kind, item }: { readonly collection: Collection; readonly kind: SaveTarget['kind']; readonly item: Item }) {
  const text = useText();
  if (kind === 'singleton') return collection.title;
  return (
    <>
      <Crumb href={`/c/${encodeURIComponent(collection.name)}`} title={collection.title} />
      {kind === 'new' ? text.newItem : renderTemplate(templateOf(collection), item) || keyText(collection, item)}
    </>
  );
}

function useSaveKey(save: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [save]);
}
