// The screens of flows and their runs, which are loaded together.

import { Route, Switch } from 'wouter';
import './automation.css';
import { FlowPage } from './flow-page.js';
import { FlowsPage } from './flows-page.js';
import { RunPage } from './runs/run-page.js';
import { RunsPage } from './runs/runs-page.js';

export function AutomationPages() {
  return (
    <Switch>
      <Route path="/flows">
        <FlowsPage />
      </Route>
      <Route path="/flows/:id">{({ id }) => <FlowPage key={id} id={id} />}</Route>
      <Route path="/flows/:id/runs">{({ id }) => <RunsPage key={id} flow={id} />}</Route>
      <Route path="/flows/:id/runs/:run">{({ id, run }) => <RunPage key={run} flow={id} id={run} />}</Route>
      <Route path="/runs">
        <RunsPage flow={null} />
      </Route>
    </Switch>
  );
}
