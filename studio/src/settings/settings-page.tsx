// The settings of the project, by the form that edits any item: drafts, conflicts, history and undo are those of every form.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { useRunningText } from '../activity/activity-data.js';
import { request } from '../api/client.js';
import { NothingHere } from '../frame/nothing-here.js';
import { SingletonForm } from '../item/item-page.js';
import { Icon } from '../primitives/icon.js';
import { systemCollection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { settingsForm } from './settings-form.js';

export function SettingsPage() {
  const text = useRunningText();
  const { pageNotFound, signOn, translations } = useText();
  const { schema } = useStudio().boot;
  const stored = systemCollection(schema, 'settings');
  const collection = useMemo(() => (stored === undefined ? undefined : settingsForm(stored, text)), [stored, text]);
  useProjectFollows();
  const toolbar = (
    <nav className="toolbar" aria-label={text.settings}>
      <Link href="/settings/sign-on" className="button quiet">
        <Icon name="key" />
        {signOn}
      </Link>
      <Link href="/settings/translations" className="button quiet">
        <Icon name="globe" />
        {translations}
      </Link>
    </nav>
  );
  return collection === undefined ? <NothingHere message={pageNotFound} /> : <SingletonForm collection={collection} toolbar={toolbar} />;
}

/** Name, colour and language around the page are those of the start: they follow when the page is left. A save makes the query read again. */
function useProjectFollows(): void {
  const { reload } = useStudio();
  const { data } = useQuery({
    queryKey: ['settings', 'project'],
    queryFn: async () => (await request('GET', '/settings', { query: { fields: 'project_name,project_color,default_language' } })).data,
    staleTime: 0,
  });
  const seen = useRef<{ first: unknown; last: unknown; reload: () => Promise<void> }>({ first: undefined, last: undefined, reload });
  seen.current = { first: seen.current.first ?? data, last: data, reload };
  useEffect(
    () => () => {
      const { first, last, reload: follow } = seen.current;
      if (JSON.stringify(first) !== JSON.stringify(last)) void follow();
    },
    [],
  );
}
