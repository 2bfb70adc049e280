// The reference and GraphiQL inside of Studio. They are pages of the service itself, drawn for the signed-in user; a frame keeps their scripts and styles apart.

import { useRunningText } from '../activity/activity-data.js';
import { serviceUrl } from '../api/service-url.js';
import { PageHead, PageTabs } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import './settings.css';

const pages = { reference: '/server/reference', graphiql: '/graphql' } as const;

export function ApiPage({ page }: { readonly page: keyof typeof pages }) {
  const text = useRunningText();
  const { api } = useText();
  const { seen } = useStudio().boot;
  const tabs = [
    { href: '/api', title: text.reference, isAlone: true },
    { href: '/api/graphql', title: 'GraphiQL' },
  ];
  const { href } = serviceUrl(pages[page]);
  return (
    <>
      <PageHead title={api}>
        <a className="button" href={href} target="_blank" rel="noreferrer" aria-label={text.openAlone}>
          <Icon name="export" />
          <span className="wide-label">{text.openAlone}</span>
        </a>
      </PageHead>
      <PageTabs label={api} tabs={tabs} />
      {seen !== null && <p className="banner quiet">{text.ownRights}</p>}
      <iframe key={page} className="api-frame" title={page === 'graphiql' ? 'GraphiQL' : text.reference} src={href} />
    </>
  );
}
