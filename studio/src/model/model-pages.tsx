// The data model: all collections, one collection with its fields, and the desk over both.

import { lazy, Suspense, useCallback, useState } from 'react';
import { Route, Switch } from 'wouter';
import { CollectionModel } from './collection-model.js';
import { CollectionsPage } from './collections-page.js';
import { DeskDrawer } from './desk/desk-drawer.js';
import { DeskBar, DeskContext } from './model-base.js';
import './model.css';

const DiagramPage = lazy(async () => ({ default: (await import('./diagram/diagram-page.js')).DiagramPage }));
const ComparePage = lazy(async () => ({ default: (await import('./compare/compare-page.js')).ComparePage }));

export function ModelPages() {
  const [isOpen, setOpen] = useState(false);
  const openDesk = useCallback(() => setOpen(true), []);
  return (
    <DeskContext value={openDesk}>
      <Switch>
        <Route path="/model">
          <CollectionsPage />
        </Route>
        <Route path="/model/diagram">
          <Suspense fallback={null}>
            <DiagramPage />
          </Suspense>
        </Route>
        <Route path="/model/compare">
          <Suspense fallback={null}>
            <ComparePage />
          </Suspense>
        </Route>
        <Route path="/model/:collection">
          {({ collection }) => <CollectionModel key={collection} name={decodeURIComponent(collection)} />}
        </Route>
        <Route path="/model/c/:collection">
          {({ collection }) => <CollectionModel key={collection} name={decodeURIComponent(collection)} />}
        </Route>
      </Switch>
      <DeskBar />
      {isOpen && <DeskDrawer onClose={() => setOpen(false)} />}
    </DeskContext>
  );
}
