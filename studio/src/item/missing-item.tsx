// An item that is not there. If it was deleted, its history knows it, and it can be brought back.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { relativeText } from '../displays/show-value.js';
import { Value } from '../displays/value.js';
import { NothingHere } from '../frame/nothing-here.js';
import { PageHead } from '../frame/page-head.js';
import { readRevisions } from '../history/revisions.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { renderTemplate, templateOf } from '../schema/templates.js';
import { useMay } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { restoreDeleted } from './delete-button.js';

interface MissingItemProps {
  readonly collection: Collection;
  readonly itemKey: string;
}

/** Back to the list. */
export const wayTo = ({ name, title }: Collection) => ({ title, href: `/c/${encodeURIComponent(name)}` });

export function MissingItem({ collection, itemKey }: MissingItemProps) {
  const language = useLanguage();
  const { text } = language;
  const may = useMay();
  const cache = useQueryClient();
  const { data } = useQuery({
    queryKey: ['history', collection.name, itemKey, 'deleted'],
    queryFn: ({ signal }) => readRevisions(collection.name, itemKey, 1, signal),
    retry: false,
    enabled: may('revisions', 'read'),
  });
  const [revision] = data ?? [];
  if (revision?.action !== 'delete') return <NothingHere message={text.notFound} way={wayTo(collection)} />;
  const title = renderTemplate(templateOf(collection), revision.data) || itemKey;
  const restore = async () => {
    try {
      await restoreDeleted(collection, itemKey);
      await cache.invalidateQueries();
      showToast(text.restored(title));
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
  };
  return (
    <>
      <PageHead title={title}>
        {may(collection, 'create') && (
          <button type="button" className="button primary" onClick={restore}>
            <Icon name="undo" />
            {text.restoreItem}
          </button>
        )}
      </PageHead>
      <div className="scroll">
        <p className="banner amber notice">
          {text.wasDeleted(revision.person || text.someone, relativeText(language, new Date(revision.time)))}
        </p>
        <dl className="facts">
          {collection.fields
            .filter(({ column, name }) => column !== null && name in revision.data)
            .map((field) => (
              <div key={field.name}>
                <dt>{field.title}</dt>
                <dd>
                  <Value field={field} value={revision.data[field.name]} />
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </>
  );
}
