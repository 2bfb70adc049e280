// The items of a collection: search, filter, columns and saved views, and a grid or, on narrow screens, cards. Rows come first; their number is
// asked for apart and never delays them.

import { lazy, Suspense, useMemo, useSyncExternalStore } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../api/client.js';
import { ManualFlows } from '../automation/manual/manual-flows.js';
import { noFilter } from '../filter/filter-tree.js';
import { NothingHere } from '../frame/nothing-here.js';
import { PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { addressKey } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { itemsPath, useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { BulkBar } from './bulk/bulk-bar.js';
import { Cards } from './cards.js';
import { type Column, makeColumns } from './columns.js';
import { useEditing } from './edit/use-editing.js';
import { FilterBar } from './filter-bar.js';
import { Grid } from './grid/grid.js';
import './list.css';
import { useListActions } from './list-actions.js';
import { type ListState, turnSort, useListState } from './list-state.js';
import { pageSize, type Rows } from './rows.js';
import { useSelection } from './selection.js';
import { SortMenu } from './sort-menu.js';
import { StatusLine } from './status-line.js';
import { useLiveRows } from './use-live-rows.js';
import { type Order, useOrder } from './use-order.js';
import { useCount, useRows } from './use-rows.js';
import { useViews, type Views } from './views/use-views.js';
import { ViewsMenu } from './views/views-menu.js';

const ColumnsMenu = lazy(async () => ({ default: (await import('./views/columns-menu.js')).ColumnsMenu }));

export function ListPage({ name }: { readonly name: string }) {
  const text = useText();
  const { schema } = useStudio().boot;
  const collection = schema.get(decodeURIComponent(name));
  if (collection === undefined || collection.isFolder) return <NothingHere message={text.pageNotFound} />;
  return <List collection={collection} />;
}

const noKeys: readonly string[] = [];

const addressOf = ({ name }: Collection): string => `/c/${encodeURIComponent(name)}`;

function List({ collection }: { readonly collection: Collection }) {
  const text = useText();
  const { schema } = useStudio().boot;
  const may = useMay();
  const isNarrow = useNarrow();
  const views = useViews(collection);
  const [state, setState] = useListState(views.base);
  const columns = useMemo(
    () => makeColumns(schema, collection, state.columns, views.widths),
    [schema, collection, state.columns, views.widths],
  );
  const { rows, query, reload } = useRows(collection, columns, state);
  useSyncExternalStore(rows.subscribe, rows.version);
  const count = useCount(collection, state, rows);
  const selection = useSelection(rows);
  const editing = useEditing({ collection, columns, rows, onReload: reload });
  const isBusy = editing.edits.cellCount > 0 || selection.state !== 'none';
  const order = useOrder(collection, state, rows);
  const pending = useLiveRows({ collection, rows, query, isBusy });
  const { actions, dialog } = useListActions({ collection, columns, state, count, query, onReload: reload });
  const request = useMemo(() => ({ path: itemsPath(collection), query: { ...JSON.parse(query), limit: pageSize } }), [collection, query]);
  const arrange = (next: ListState) => {
    setState(next);
    views.arrange(next, views.widths);
  };
  return (
    <>
      <PageHead title={collection.title} request={request} more={actions}>
        <ManualFlows collection={collection} place="list" keys={noKeys} onDone={reload} />
        {may(collection, 'create') && (
          <Link href={`${addressOf(collection)}/+`} className="button primary" aria-label={text.newItem}>
            <Icon name="plus" />
            <span className="wide-label">{text.newItem}</span>
          </Link>
        )}
      </PageHead>
      {dialog}
      <FilterBar collection={collection} state={state} onChange={setState}>
        {isNarrow && (
          <SortMenu
            columns={columns}
            sort={state.sort}
            onSort={(field, keepsOthers) => arrange({ ...state, sort: turnSort(state.sort, field, keepsOthers) })}
          />
        )}
        <ColumnsButton collection={collection} columns={columns} onChange={(names) => arrange({ ...state, columns: names })} />
        <ViewsMenu views={views} state={state} onChange={setState} />
      </FilterBar>
      {collection.keys.length === 0 && <p className="banner quiet notice">{text.list.keyless}</p>}
      {rows.error !== null && rows.isLoaded && <Interruption error={rows.error} onRetry={() => rows.retry()} />}
      <Content
        collection={collection}
        state={state}
        rows={rows}
        views={views}
        editing={editing}
        selection={selection}
        order={order}
        isNarrow={isNarrow}
        onArrange={arrange}
        onState={setState}
      />
      {selection.state !== 'none' && (
        <BulkBar collection={collection} state={state} count={count} selection={selection} rows={rows} order={order} onDone={reload} />
      )}
      <StatusLine count={count} pending={pending} editing={editing} />
    </>
  );
}

interface ContentProps {
  readonly collection: Collection;
  readonly state: ListState;
  readonly rows: Rows;
  readonly views: Views;
  readonly editing: ReturnType<typeof useEditing>;
  readonly selection: ReturnType<typeof useSelection>;
  readonly order: Order | null;
  readonly isNarrow: boolean;
  readonly onState: (state: ListState) => void;
  readonly onArrange: (state: ListState) => void;
}

function Content({ collection, state, rows, views, editing, selection, order, isNarrow, onState, onArrange }: ContentProps) {
  const [, navigate] = useLocation();
  const { cells } = editing;
  const addressAt = (row: number): string | null => {
    const id = cells.isNew(row) ? null : cells.idOf(row);
    return id === null ? null : `${addressOf(collection)}/${addressKey(id)}`;
  };
  const open = (row: number) => {
    const address = addressAt(row);
    if (address !== null) navigate(address);
  };
  /** With Shift the column is added to the order. */
  const sort = ({ sort: field }: Column, isAdded: boolean) => {
    if (field !== null) onArrange({ ...state, sort: turnSort(state.sort, field, isAdded) });
  };
  const isFiltered = state.search !== '' || state.filter.nodes.length > 0;
  if (rows.error !== null && !rows.isLoaded) return <Failure error={rows.error} onRetry={() => rows.retry()} />;
  if (rows.isLoaded && cells.rowCount === 0)
    return <Empty isFiltered={isFiltered} onClear={() => onState({ ...state, search: '', filter: noFilter })} />;
  if (isNarrow) return <Cards collection={collection} columns={cells.columns} rows={rows} selection={selection} />;
  return (
    <Grid
      label={collection.title}
      cells={cells}
      sort={state.sort}
      selection={collection.keys.length === 0 ? null : selection}
      order={order}
      addressOf={addressAt}
      onOpen={open}
      onSort={sort}
      onWidth={(name, width) => {
        const widths = { ...views.widths, [name]: width };
        views.setWidths(widths);
        views.arrange(state, widths);
      }}
      actions={editing.actions}
      wanted={editing.wanted}
    />
  );
}

interface ColumnsButtonProps {
  readonly collection: Collection;
  readonly columns: readonly Column[];
  readonly onChange: (names: readonly string[] | null) => void;
}

function ColumnsButton(props: ColumnsButtonProps) {
  const text = useText();
  return (
    <DialogTrigger>
      <Button className="button quiet" aria-label={text.columns}>
        <Icon name="columns" />
        <span className="wide-label">{text.columns}</span>
      </Button>
      <Popover className="popover wide" placement="bottom end">
        <Dialog aria-label={text.columns} className="plain-dialog">
          <Suspense fallback={null}>
            <ColumnsMenu {...props} />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Empty({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const text = useText();
  return (
    <div className="empty scroll">
      <h2>{isFiltered ? text.noResults : text.noItems}</h2>
      <p>{isFiltered ? text.noResultsHint : text.noItemsHint}</p>
      {isFiltered && (
        <button type="button" className="button" onClick={onClear}>
          {text.clearFilters}
        </button>
      )}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

const isAway = (error: unknown): boolean => !(error instanceof ApiError) || error.status === 0 || error.status === 503;

function Failure({ error, onRetry }: FailureProps) {
  const text = useText();
  return (
    <div className="empty scroll" role="alert">
      <h2>{isAway(error) || !(error instanceof ApiError) ? text.unreachable : error.message}</h2>
      {isAway(error) && <p>{text.unreachableHint}</p>}
      <button type="button" className="button" onClick={onRetry}>
        {text.retry}
      </button>
    </div>
  );
}

/** Rows are there, further ones cannot be read at the moment. */
function Interruption({ error, onRetry }: FailureProps) {
  const text = useText();
  return (
    <div className="banner" role="alert">
      <span>{isAway(error) || !(error instanceof ApiError) ? `${text.unreachable} ${text.unreachableHint}` : error.message}</span>
      <button type="button" className="button quiet small" onClick={onRetry}>
        {text.retry}
      </button>
    </div>
  );
}

const narrow = matchMedia('(width < 640px)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
