// The request of a page as a person can repeat it: a command of a shell, a call of the client package, a GraphQL document.

import { useQuery } from '@tanstack/react-query';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { request as send } from '../api/client.js';
import { serviceUrl } from '../api/service-url.js';
import { viewedAs } from '../api/view-as.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import '../primitives/tabs.css';
import type { ApiRequest } from './api-request.js';
import './mirror.css';
import { type GraphqlAlias, printGraphql } from './print-graphql.js';
import { printCurl, printSdk } from './print-rest.js';

const useMirrorText = () => useText('mirror');

const readAliases = async () => (await send<readonly GraphqlAlias[]>('GET', '/server/specs/graphql/aliases')).data;

export function RequestDrawer({ request, onClose }: { readonly request: ApiRequest; readonly onClose: () => void }) {
  const text = useMirrorText();
  const { reference } = useText();
  const { schema } = useStudio().boot;
  const viewAs = viewedAs()?.target ?? null;
  const origin = { url: serviceUrl('').href.replace(/\/$/, ''), viewAs };
  const { data: aliases, isPending } = useQuery({ queryKey: ['graphql-aliases', viewAs], queryFn: readAliases });
  const graphql = isPending ? null : printGraphql(schema, request, aliases);
  return (
    <SideDrawer title={text.title} isWide onClose={onClose}>
      <div className="mirror">
        <p className="hint">{text.hint}</p>
        <Tabs className="tab-group">
          <TabList className="tab-list" aria-label={text.kinds}>
            <Tab id="curl" className="tab">
              curl
            </Tab>
            <Tab id="sdk" className="tab">
              SDK
            </Tab>
            <Tab id="graphql" className="tab">
              GraphQL
            </Tab>
          </TabList>
          <TabPanel id="curl" className="tab-panel">
            <Code code={printCurl(request, origin)} />
            <p className="hint">{text.tokenHint}</p>
          </TabPanel>
          <TabPanel id="sdk" className="tab-panel">
            <Code code={printSdk(schema, request, origin)} />
            <p className="hint">{text.tokenHint}</p>
          </TabPanel>
          <TabPanel id="graphql" className="tab-panel">
            {graphql === null ? !isPending && <p>{text.noGraphql}</p> : <Code code={graphql.document} />}
            {graphql !== null && <p className="hint">{text.sentTo(`POST ${origin.url}${graphql.endpoint}`)}</p>}
            {viewAs !== null && <p className="hint">{text.viewAs(`X-View-As: ${viewAs}`)}</p>}
            <a href={serviceUrl(graphql?.endpoint ?? '/graphql').href} target="_blank" rel="noreferrer">
              {text.openGraphiql}
            </a>
          </TabPanel>
        </Tabs>
        <a href={serviceUrl('/server/reference').href} target="_blank" rel="noreferrer">
          {reference}
        </a>
      </div>
    </SideDrawer>
  );
}

function Code({ code }: { readonly code: string }) {
  const text = useMirrorText();
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    showToast(text.copied);
  };
  return (
    <div className="mirror-code">
      <button type="button" className="button small" onClick={copy}>
        <Icon name="copy" />
        {text.copy}
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <pre tabIndex={0} dir="ltr">
        {code}
      </pre>
    </div>
  );
}
