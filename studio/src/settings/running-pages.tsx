// The screens about running a project, which are loaded together.

import { Route, Switch } from 'wouter';
import { ActivityPage } from '../activity/activity-page.js';
import { SignOnPage } from '../sign-on/sign-on-page.js';
import { ApiPage } from './api-page.js';
import { SettingsPage } from './settings-page.js';
import { SlowPage } from './slow-page.js';
import { StoragePage } from './storage-page.js';
import { SystemPage } from './system-page.js';

export function RunningPages() {
  return (
    <Switch>
      <Route path="/activity">
        <ActivityPage />
      </Route>
      <Route path="/api">
        <ApiPage page="reference" />
      </Route>
      <Route path="/api/graphql">
        <ApiPage page="graphiql" />
      </Route>
      <Route path="/settings">
        <SettingsPage />
      </Route>
      <Route path="/settings/sign-on">
        <SignOnPage />
      </Route>
      <Route path="/system">
        <SystemPage />
      </Route>
      <Route path="/system/statements">
        <SlowPage />
      </Route>
      <Route path="/system/storage">
        <StoragePage />
      </Route>
    </Switch>
  );
}
