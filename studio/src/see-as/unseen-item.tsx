// An item that the viewed person does not see, with the reason.

import type { Seen } from '../api/boot.js';
import { PageHead } from '../frame/page-head.js';
import type { Collection } from '../schema/model.js';
import { useSeeAsText } from './explain.js';
import { Why } from './why.js';
import './see-as.css';

interface UnseenItemProps {
  readonly seen: Seen;
  readonly collection: Collection;
  readonly itemKey: string;
}

export function UnseenItem({ seen, collection, itemKey }: UnseenItemProps) {
  const text = useSeeAsText();
  return (
    <>
      <PageHead title={`${collection.title} ${itemKey}`} />
      <div className="scroll unseen">
        <h2>{text.notSeen(seen.name)}</h2>
        <Why collection={collection} question={{ as: seen.target, collection: collection.name, item: itemKey }} />
      </div>
    </>
  );
}
