// Who did what, the newest first. What is chosen is part of the address; an entry opens with the values that changed.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { relativeText } from '../displays/show-value.js';
import { PageHead } from '../frame/page-head.js';
import { personName } from '../schema/person.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { type Chosen, type Entry, readEntries, readPeople, requestOfEntries, useRunningText } from './activity-data.js';
import { EntryDrawer } from './entry-drawer.js';
import './activity.css';
import { FailedRead } from '../primitives/failed-read.js';

const pageSize = 50;

export function ActivityPage() {
  const text = useRunningText();
  const [address, setAddress] = useSearchParams();
  const [limit, setLimit] = useState(pageSize);
  const [open, setOpen] = useState<Entry | null>(null);
  const of = (name: string): string => address.get(name) ?? '';
  const chosen: Chosen = { user: of('user'), action: of('action'), collection: of('collection'), since: of('since') };
  const { data, error } = useQuery({
    queryKey: ['activity', chosen, limit],
    queryFn: ({ signal }) => readEntries(chosen, limit, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const choose = (name: string, value: string) => {
    setLimit(pageSize);
    setAddress(
      (present) => {
        const next = new URLSearchParams(present);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  const isChosen = Object.values(chosen).some((each) => each !== '');
  return (
    <>
      <PageHead title={text.activity} request={requestOfEntries(chosen, limit)} />
      <Choices chosen={chosen} onChoose={choose} />
      <div className="scroll">
        <FailedRead what={text.failed} error={data === undefined ? error : null} />
        {data?.length === 0 && (
          <div className="empty">
            <h2>{isChosen ? text.noMatch : text.noActivity}</h2>
            <p>{isChosen ? text.noMatchHint : text.noActivityHint}</p>
          </div>
        )}
        {data !== undefined && data.length > 0 && <Entries entries={data} onOpen={setOpen} />}
        {data?.length === limit && (
          <p className="activity-more">
            <button type="button" className="button" onClick={() => setLimit(limit + pageSize)}>
              {text.more}
            </button>
          </p>
        )}
      </div>
      {open !== null && <EntryDrawer entry={open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface ChoicesProps {
  readonly chosen: Chosen;
  readonly onChoose: (name: keyof Chosen, value: string) => void;
}

function Choices({ chosen, onChoose }: ChoicesProps) {
  const text = useRunningText();
  const { schema } = useStudio().boot;
  const { data: people } = useQuery({ queryKey: ['activity', 'people'], queryFn: ({ signal }) => readPeople(signal) });
  const select = (name: keyof Chosen, label: string, all: string, options: readonly (readonly [string, string])[]): ReactNode => (
    <select className="input" aria-label={label} value={chosen[name]} onChange={(event) => onChoose(name, event.target.value)}>
      <option value="">{all}</option>
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
  const collections = [...schema.values()].filter(({ isFolder }) => !isFolder).map(({ name, title }) => [name, title] as const);
  return (
    <div className="toolbar activity-choices">
      {people !== undefined &&
        people.length > 0 &&
        select(
          'user',
          text.person,
          text.everybody,
          people.map((person) => [person.id, personName(person)] as const),
        )}
      {select('action', text.action, text.everyAction, Object.entries(text.actions))}
      {select(
        'collection',
        text.collection,
        text.everyCollection,
        collections.toSorted(([, left], [, right]) => left.localeCompare(right)),
      )}
      {select('since', text.since, text.ever, Object.entries(text.times))}
    </div>
  );
}

function Entries({ entries, onOpen }: { readonly entries: readonly Entry[]; readonly onOpen: (entry: Entry) => void }) {
  const text = useRunningText();
  const language = useLanguage();
  const { schema } = useStudio().boot;
  return (
    <table className="activity" aria-label={text.activity}>
      <thead>
        <tr>
          <th scope="col">{text.who}</th>
          <th scope="col">{text.what}</th>
          <th scope="col">{text.item}</th>
          <th scope="col">{text.when}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const moment = new Date(entry.timestamp);
          const title = schema.get(entry.collection)?.title ?? entry.collection;
          const action = text.actions[entry.action] ?? entry.action;
          return (
            <tr key={entry.id}>
              <td>
                {entry.user === null || entry.user === undefined ? <span className="hint">{text.nobody}</span> : personName(entry.user)}
              </td>
              <td>
                <button
                  type="button"
                  className={`row-title action-${entry.action}`}
                  aria-label={text.details(`${action}, ${title} ${entry.item}`)}
                  onClick={() => onOpen(entry)}
                >
                  {action}
                </button>
              </td>
              <td>
                <span className="activity-item">
                  <span>{title}</span>
                  <span className="hint cut">{entry.item}</span>
                </span>
              </td>
              <td>
                <time dateTime={entry.timestamp} title={language.dateTime.format(moment)}>
                  {relativeText(language, moment)}
                </time>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
