// The head of the screens about access: their title, the ways between them, and what can be done.

import type { ReactNode } from 'react';
import { PageHead, PageTabs } from '../frame/page-head.js';
import type { ApiRequest } from '../mirror/api-request.js';
import type { AccessMessages } from '../text/english/access.js';
import { useText } from '../text/use-text.js';
import { useAccessText } from './access-data.js';
import './access.css';
import { FailedRead } from '../primitives/failed-read.js';

const parts: readonly { readonly href: string; readonly title: (text: AccessMessages) => string }[] = [
  { href: '/roles', title: ({ roles }) => roles },
  { href: '/people', title: ({ people }) => people },
  { href: '/policies', title: ({ policies }) => policies },
  { href: '/public', title: (text) => text.public },
  { href: '/keys', title: ({ keys }) => keys },
];

export function AccessHead({ request, children }: { readonly request: ApiRequest; readonly children?: ReactNode }) {
  const text = useText();
  const access = useAccessText();
  return (
    <>
      <PageHead title={text.access} request={request}>
        {children}
      </PageHead>
      <PageTabs label={access.parts} tabs={parts.map(({ href, title }) => ({ href, title: title(access) }))} />
    </>
  );
}

export function Failed({ error }: { readonly error: Error | null }) {
  const text = useAccessText();
  return <FailedRead what={text.failed} error={error} />;
}

export function Status({ status }: { readonly status: string }) {
  const { statuses } = useAccessText();
  return <span className={`status-mark ${status}`}>{statuses[status as keyof typeof statuses] ?? status}</span>;
}
