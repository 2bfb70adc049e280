// The screens of dashboards, which are loaded together.

import { Route, Switch } from 'wouter';
import { DashboardPage } from './dashboard-page.js';
import { DashboardsPage } from './dashboards-page.js';
import './insights.css';

export function InsightsPages() {
  return (
    <Switch>
      <Route path="/dashboards">
        <DashboardsPage />
      </Route>
      <Route path="/dashboards/:id">{({ id }) => <DashboardPage key={id} id={id} />}</Route>
    </Switch>
  );
}
