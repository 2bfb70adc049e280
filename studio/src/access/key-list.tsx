// Access keys as people see them: what each may do, from where, until when, and when it was last used.

import type { ReactNode } from 'react';
import { relativeText } from '../displays/show-value.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { useAccessText } from './access-data.js';

export interface AccessKey {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** The last characters of its token. */
  readonly ending: string;
  readonly policy_name: string | null;
  readonly write: boolean;
  readonly collections: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly expires: string | null;
  readonly created: string;
  readonly last_used: string | null;
}

export const keyFields = 'id name user ending policy_name write collections addresses expires created last_used';

interface KeyListProps {
  readonly keys: readonly AccessKey[];
  /** Whose it is, where that is not plain. */
  readonly ownerOf?: (key: AccessKey) => ReactNode;
  /** What can be done with one. */
  readonly children: (key: AccessKey) => ReactNode;
}

export function KeyList({ keys, ownerOf, children }: KeyListProps) {
  const factsOf = useFacts();
  const usedOf = useUse();
  return (
    <ul className="ways">
      {keys.map((key) => (
        <li key={key.id}>
          <div>
            <span className="cut">
              {key.name} <code dir="ltr">…{key.ending}</code>
            </span>
            {ownerOf !== undefined && <span className="cut">{ownerOf(key)}</span>}
            <span className="hint">{factsOf(key).join(' · ')}</span>
            <span className="hint">{usedOf(key).join(' · ')}</span>
          </div>
          {children(key)}
        </li>
      ))}
    </ul>
  );
}

function useFacts(): (key: AccessKey) => readonly string[] {
  const { accessKeys } = useAccessText();
  const { schema } = useStudio().boot;
  return ({ write, policy_name: policy, collections, addresses }) => [
    write ? accessKeys.writing : accessKeys.reading,
    ...(policy === null ? [] : [accessKeys.asPolicy(policy)]),
    ...(collections === null ? [] : [accessKeys.onlyIn(collections.map((name) => schema.get(name)?.title ?? name).join(', '))]),
    ...(addresses === null ? [] : [accessKeys.onlyFrom(addresses.join(', '))]),
  ];
}

function useUse(): (key: AccessKey) => readonly string[] {
  const { accessKeys, added, lastUsed, neverUsed } = useAccessText();
  const language = useLanguage();
  const day = (moment: string): string => language.date.format(new Date(moment));
  return ({ created, expires, last_used: used }) => [
    added(day(created)),
    ...(expires === null ? [] : [accessKeys.endsOn(language.dateTime.format(new Date(expires)))]),
    used === null ? neverUsed : lastUsed(relativeText(language, new Date(used))),
  ];
}
