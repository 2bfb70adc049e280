// The application behind the sign-in: routes, the shell around them, and the cache of what was read.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components';
import { Route, Router, Switch } from 'wouter';
import { navigate, usePathname } from 'wouter/use-browser-location';
import type { Boot } from './api/boot.js';
import { RelatedForms } from './form/related-forms.js';
import { NothingHere } from './frame/nothing-here.js';
import { ListPage } from './list/list-page.js';
import { showToast, Toasts } from './primitives/toasts.js';
import { SessionDialog } from './session/session-dialog.js';
import { Home } from './shell/home.js';
import { Shell } from './shell/shell.js';
import { StudioContext } from './studio-context.js';
import { useLanguage, useText } from './text/use-text.js';

const FilesPage = lazy(async () => ({ default: (await import('./files/files-page.js')).FilesPage }));
const ModelPages = lazy(async () => ({ default: (await import('./model/model-pages.js')).ModelPages }));
const AccessPages = lazy(async () => ({ default: (await import('./access/access-pages.js')).AccessPages }));
const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.js')).AccountPage }));
const InsightsPages = lazy(async () => ({ default: (await import('./insights/insights-pages.js')).InsightsPages }));
const AutomationPages = lazy(async () => ({ default: (await import('./automation/automation-pages.js')).AutomationPages }));
const Translations = lazy(async () => ({ default: (await import('./translations/translations.js')).Translations }));
const RunningPages = lazy(async () => ({ default: (await import('./settings/running-pages.js')).RunningPages }));
const ItemPage = lazy(async () => ({ default: (await import('./item/item-page.js')).ItemPage }));

// No retries: a refusal is final, and the client itself waits and resends while the service is unreachable.
const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000, gcTime: 300_000 } } });

const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

export function App({ boot, onReload }: { readonly boot: Boot; readonly onReload: () => Promise<void> }) {
  const context = useMemo(() => ({ boot, reload: onReload }), [boot, onReload]);
  useEffect(() => {
    if (boot.notice !== null) showToast(boot.notice);
  }, [boot.notice]);
  // React Aria takes the direction of writing from this locale, which may differ from the browser's.
  const { tag } = useLanguage();
  return (
    <I18nProvider locale={tag}>
      <StudioContext value={context}>
        <QueryClientProvider client={cache}>
          <PathRouter>
            <Shell key={boot.seen?.target ?? ''}>
              <RelatedForms>
                <Suspense fallback={null}>
                  <Switch>
                    <Route path="/">
                      <Home />
                    </Route>
                    <Route path="/c/:collection">
                      {({ collection }) =>
                        boot.schema.get(decodeURIComponent(collection))?.singleton === true ? (
                          <ItemPage key={collection} name={collection} itemKey={null} />
                        ) : (
                          <ListPage key={collection} name={collection} />
                        )
                      }
                    </Route>
                    <Route path="/c/:collection/:key">
                      {({ collection, key }) => <ItemPage key={`${collection}/${key}`} name={collection} itemKey={key} />}
                    </Route>
                    <Route path="/files">
                      <FilesPage />
                    </Route>
                    <Route path={/^\/dashboards(?:\/|$)/}>
                      <InsightsPages />
                    </Route>
                    <Route path={/^\/(?:flows|runs)(?:\/|$)/}>
                      <AutomationPages />
                    </Route>
                    <Route path={/^\/(?:activity|api|api\/graphql)$/}>
                      <RunningPages />
                    </Route>
                    {boot.isAdmin && boot.seen === null && (
                      <Route path={/^\/(?:settings|settings\/sign-on|system|system\/(?:statements|storage))$/}>
                        <RunningPages />
                      </Route>
                    )}
                    {boot.isAdmin && boot.seen === null && (
                      <Route path="/settings/translations">
                        <Translations picker={null} />
                      </Route>
                    )}
                    {boot.seen === null && (
                      <Route path="/me">
                        <AccountPage />
                      </Route>
                    )}
                    {/* Only for administrators who do not see as somebody else. */}
                    {boot.isAdmin && boot.seen === null && (
                      <Route path={/^\/(?:roles|people|policies|public|keys)(?:\/|$)/}>
                        <AccessPages />
                      </Route>
                    )}
                    {boot.isAdmin && boot.seen === null && (
                      <Route path={/^\/model(?:\/|$)/}>
                        <ModelPages />
                      </Route>
                    )}
                    <Route>
                      <NotFound />
                    </Route>
                  </Switch>
                </Suspense>
              </RelatedForms>
            </Shell>
          </PathRouter>
          <SessionDialog />
          <Toasts />
        </QueryClientProvider>
      </StudioContext>
    </I18nProvider>
  );
}

const PathContext = createContext('');
const usePath = (): [string, typeof navigate] => [use(PathContext), navigate];

/** Listens to the address once for all links: each would listen for itself, which is felt where there are hundreds. */
function PathRouter({ children }: { readonly children: ReactNode }) {
  return (
    <PathContext value={usePathname()}>
      <Router base={base} hook={usePath}>
        {children}
      </Router>
    </PathContext>
  );
}

const NotFound = () => <NothingHere message={useText().pageNotFound} />;
