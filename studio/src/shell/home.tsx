// The first screen: where somebody left off, what they have not saved yet, and the collections. An empty project shows its first steps.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import { Link } from 'wouter';
import { relativeText } from '../displays/show-value.js';
import { PageHead } from '../frame/page-head.js';
import { Icon, type IconName } from '../primitives/icon.js';
import { useMay, useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { draftsIn, readRecent, requestOfRecent, type WorkedOn } from './own-work.js';

export function Home() {
  const text = useText();
  const { schema, me, isAdmin, seen } = useStudio().boot;
  const may = useMay();
  const collections = [...schema.values()].filter((each) => !each.hidden && !each.isSystem && !each.isFolder);
  const isEmpty = collections.length === 0;
  const mayReadRevisions = may('revisions', 'read');
  const request = useMemo(() => requestOfRecent(schema, me.id, mayReadRevisions), [schema, me.id, mayReadRevisions]);
  // Not while seeing as another person, whose recent work is not the administrator's.
  const asks = seen === null && !isEmpty && may('activity', 'read');
  const { data: recent } = useQuery({
    queryKey: ['recent', request],
    queryFn: ({ signal }) => readRecent(schema, request, signal),
    enabled: asks,
    staleTime: 0,
  });
  const drafts = useMemo(() => (seen === null ? draftsIn(localStorage, schema, me.id) : []), [schema, me.id, seen]);
  const title = me.first_name === null ? text.home : text.welcome(me.first_name);
  return (
    <>
      <PageHead title={title} {...(asks ? { request } : {})} />
      <div className="scroll home">
        {isEmpty && (isAdmin && seen === null ? <FirstSteps /> : <NothingToRead />)}
        {drafts.length > 0 && (
          <Part title={text.ownDrafts}>
            <WorkList works={drafts} />
          </Part>
        )}
        {recent !== undefined && recent.length > 0 && (
          <Part title={text.recentlyEdited}>
            <WorkList works={recent} />
          </Part>
        )}
        {!isEmpty && (
          <Part title={text.collections} isWide>
            <ul className="cards home-cards">
              {collections.map(({ name, title: named, note }) => (
                <li key={name}>
                  <Link href={`/c/${encodeURIComponent(name)}`}>
                    <strong>{named}</strong>
                    {note !== null && <span className="hint">{note}</span>}
                  </Link>
                </li>
              ))}
            </ul>
          </Part>
        )}
      </div>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Part({ title, isWide = false, children }: PartProps) {
  const id = useId();
  return (
    <section className={isWide ? 'wide' : ''} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function WorkList({ works }: { readonly works: readonly WorkedOn[] }) {
  const language = useLanguage();
  return (
    <ul className="work-list">
      {works.map(({ collection, href, title, time }) => (
        <li key={href}>
          <Link href={href}>
            <strong>{title === '' ? language.text.newItem : title}</strong>
            <span className="hint">
              {collection.title}
              {time !== null && ` · ${relativeText(language, time)}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const NothingToRead = () => {
  const text = useText();
  return (
    <div className="empty wide">
      <h2>{text.noCollections}</h2>
      <p>{text.noCollectionsHint}</p>
    </div>
  );
};

function FirstSteps() {
  const text = useText();
  const steps: readonly { readonly href: string; readonly icon: IconName; readonly title: string; readonly hint: string }[] = [
    { href: '/model', icon: 'columns', title: text.stepModel, hint: text.stepModelHint },
    { href: '/people', icon: 'user', title: text.stepPeople, hint: text.stepPeopleHint },
    { href: '/policies', icon: 'key', title: text.stepAccess, hint: text.stepAccessHint },
    { href: '/settings', icon: 'gear', title: text.stepSettings, hint: text.stepSettingsHint },
  ];
  return (
    <section className="wide first-steps">
      <h2>{text.firstSteps}</h2>
      <p className="home-hint">{text.firstStepsHint}</p>
      <ol className="cards home-cards">
        {steps.map(({ href, icon, title, hint }) => (
          <li key={href}>
            <Link href={href}>
              <Icon name={icon} />
              <strong>{title}</strong>
              <span className="hint">{hint}</span>
            </Link>
          </li>
        ))}
      </ol>
      <p>
        <Link href="/api">{text.reference}</Link>
      </p>
    </section>
  );
}
