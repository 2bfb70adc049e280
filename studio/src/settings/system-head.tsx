// The head of the screens about the service itself, and the ways between them.

import type { ReactNode } from 'react';
import { useRunningText } from '../activity/activity-data.js';
import { PageHead, PageTabs } from '../frame/page-head.js';
import type { ApiRequest } from '../mirror/api-request.js';
import { useText } from '../text/use-text.js';
import './settings.css';

export function SystemHead({ request, children }: { readonly request: ApiRequest; readonly children?: ReactNode }) {
  const text = useRunningText();
  const { slowStatements, storage } = useText();
  const tabs = [
    { href: '/system', title: text.state, isAlone: true },
    { href: '/system/statements', title: slowStatements },
    { href: '/system/storage', title: storage },
  ];
  return (
    <>
      <PageHead title={text.system} request={request}>
        {children}
      </PageHead>
      <PageTabs label={text.systemParts} tabs={tabs} />
    </>
  );
}
