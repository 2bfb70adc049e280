// One entry of the activity: who, when and from where, and the values before and after.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isEqual } from '../draft/draft.js';
import { ChangeView } from '../history/change-view.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { itemPlace } from '../schema/item-place.js';
import type { Collection } from '../schema/model.js';
import { personName } from '../schema/person.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { type Entry, readValues, useRunningText, type Values } from './activity-data.js';
import '../form/form.css';

export function EntryDrawer({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const text = useRunningText();
  const language = useLanguage();
  const { boot } = useStudio();
  const collection = boot.schema.get(entry.collection);
  const { data, error } = useQuery({ queryKey: ['activity', 'values', entry.id], queryFn: ({ signal }) => readValues(entry, signal) });
  const place = entry.action === 'delete' ? null : itemPlace(boot, entry.collection, entry.item);
  const title = `${collection?.title ?? entry.collection} ${entry.item}: ${text.actions[entry.action] ?? entry.action}`;
  const foot = place !== null && (
    <Link href={place} className="button primary">
      {text.openItem}
    </Link>
  );
  return (
    <SideDrawer title={title} foot={foot === false ? undefined : foot} onClose={onClose}>
      <dl className="entry-facts">
        <dt>{text.who}</dt>
        <dd>{entry.user === null || entry.user === undefined ? text.nobody : personName(entry.user)}</dd>
        <dt>{text.when}</dt>
        <dd>{language.dateTime.format(new Date(entry.timestamp))}</dd>
        {typeof entry.ip === 'string' && (
          <>
            <dt>{text.address}</dt>
            <dd>{entry.ip}</dd>
          </>
        )}
        {typeof entry.user_agent === 'string' && (
          <>
            <dt>{text.program}</dt>
            <dd>{entry.user_agent}</dd>
          </>
        )}
      </dl>
      {error !== null && <p className="banner notice">{error.message}</p>}
      {data === null && <p className="hint">{text.noDetails}</p>}
      {data !== undefined && data !== null && collection !== undefined && (
        <Changes collection={collection} values={data} isDelete={entry.action === 'delete'} />
      )}
    </SideDrawer>
  );
}

interface ChangesProps {
  readonly collection: Collection;
  readonly values: Values;
  readonly isDelete: boolean;
}

function Changes({ collection, values: { before, after, delta }, isDelete }: ChangesProps) {
  const text = useRunningText();
  const changed = collection.fields.filter(({ column, name }) => {
    if (column === null || !(name in after)) return false;
    // What is deleted is shown whole, as it was; of the first change that is known, what was sent.
    if (before === undefined || isDelete) {
      const value = (isDelete ? after : (delta ?? after))[name];
      return value !== null && value !== undefined;
    }
    return !isEqual(before[name] ?? null, after[name] ?? null);
  });
  if (changed.length === 0) return <p className="hint">{text.noDetails}</p>;
  return (
    <section className="revision" aria-label={text.changed}>
      <dl>
        {changed.map((field) => (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>
              <ChangeView
                field={field}
                before={before === undefined || isDelete ? undefined : (before[field.name] ?? null)}
                after={after[field.name] ?? null}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
