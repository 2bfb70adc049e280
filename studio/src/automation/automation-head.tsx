// The head of the screens about all flows, and of those about one of them, with the ways between them.

import type { ReactNode } from 'react';
import { Crumb, type HeadAction, PageHead, PageTabs } from '../frame/page-head.js';
import type { ApiRequest } from '../mirror/api-request.js';
import { useText } from '../text/use-text.js';
import { useAutomationText, useFlowRights } from './automation-data.js';

interface HeadProps {
  readonly request?: ApiRequest;
  readonly children?: ReactNode;
}

export function AutomationHead({ request, children }: HeadProps) {
  const text = useAutomationText();
  const { automation } = useText();
  const { runs } = useFlowRights();
  const tabs = [{ href: '/flows', title: text.flows, isAlone: true }, ...(runs ? [{ href: '/runs', title: text.runs }] : [])];
  return (
    <>
      <PageHead title={automation} {...(request === undefined ? {} : { request })}>
        {children}
      </PageHead>
      {tabs.length > 1 && <PageTabs label={text.parts} tabs={tabs} />}
    </>
  );
}

interface FlowHeadProps extends HeadProps {
  readonly id: string;
  readonly name: string;
  readonly more?: readonly HeadAction[];
}

export function FlowHead({ id, name, request, more = [], children }: FlowHeadProps) {
  const text = useAutomationText();
  const { automation } = useText();
  const title = (
    <>
      <Crumb href="/flows" title={automation} />
      {name}
    </>
  );
  const tabs = [
    { href: `/flows/${id}`, title: text.steps, isAlone: true },
    { href: `/flows/${id}/runs`, title: text.runs },
  ];
  return (
    <>
      <PageHead title={title} isCrowded more={more} {...(request === undefined ? {} : { request })}>
        {children}
      </PageHead>
      <PageTabs label={name} tabs={tabs} />
    </>
  );
}
