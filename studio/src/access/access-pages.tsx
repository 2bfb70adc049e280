// The screens about people and access, which are loaded together.

import { Route, Switch } from 'wouter';
import { KeysPage } from './keys-page.js';
import { PeoplePage } from './people-page.js';
import { PoliciesPage } from './policies-page.js';
import { PolicyPage } from './policy-page.js';
import { PublicPage } from './public-page.js';
import { RolesPage } from './roles-page.js';

export function AccessPages() {
  return (
    <Switch>
      <Route path="/roles">
        <RolesPage />
      </Route>
      <Route path="/people/:id?">{({ id }) => <PeoplePage id={id ?? null} />}</Route>
      <Route path="/policies">
        <PoliciesPage />
      </Route>
      <Route path="/policies/:id">{({ id }) => <PolicyPage key={id} id={id} />}</Route>
      <Route path="/public">
        <PublicPage />
      </Route>
      <Route path="/keys">
        <KeysPage />
      </Route>
    </Switch>
  );
}
