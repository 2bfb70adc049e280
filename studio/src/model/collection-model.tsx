// One collection of the model: its fields in their order, and its settings.

import { useState } from 'react';
import { Link } from 'wouter';
import { NothingHere } from '../frame/nothing-here.js';
import { Crumb, PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import type { Field } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { CollectionSettings } from './collection-settings.js';
import { ConditionsDrawer } from './fields/conditions-drawer.js';
import { FieldDrawer } from './fields/field-drawer.js';
import { FieldRows } from './fields/field-rows.js';
import { IndexRows } from './index-rows.js';
import { useModelText } from './model-base.js';
import { GroupDialog } from './new-group.js';
import { RelationDrawer } from './relation-drawer.js';

type Shown =
  | { readonly kind: 'field'; readonly field: Field | null }
  | { readonly kind: 'conditions'; readonly field: Field }
  | { readonly kind: 'relation' | 'settings' | 'group' }
  | null;

export function CollectionModel({ name }: { readonly name: string }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const collection = schema.get(name);
  const [shown, setShown] = useState<Shown>(null);
  if (collection === undefined) return <NothingHere message={text.gone} way={{ title: text.back, href: '/model' }} />;
  const close = () => setShown(null);
  return (
    <>
      <PageHead
        title={
          <>
            <Crumb href="/model" title={text.back} />
            {collection.title}
          </>
        }
        request={{ path: `/fields/${encodeURIComponent(name)}` }}
      >
        <Link href={`/c/${encodeURIComponent(name)}`} className="button quiet" aria-label={text.openItems}>
          <Icon name="table" />
          <span className="wide-label">{text.openItems}</span>
        </Link>
        <button type="button" className="button" aria-label={text.settings} onClick={() => setShown({ kind: 'settings' })}>
          <Icon name="edit" />
          <span className="wide-label">{text.settings}</span>
        </button>
      </PageHead>
      <div className="toolbar">
        <button type="button" className="button primary" onClick={() => setShown({ kind: 'field', field: null })}>
          <Icon name="plus" />
          {text.newField}
        </button>
        <button type="button" className="button" onClick={() => setShown({ kind: 'relation' })}>
          <Icon name="plus" />
          {text.newRelation}
        </button>
        <button type="button" className="button" onClick={() => setShown({ kind: 'group' })}>
          <Icon name="plus" />
          {text.newGroup}
        </button>
      </div>
      <div className="scroll">
        <FieldRows
          collection={collection}
          onEdit={(field) => setShown({ kind: 'field', field })}
          onConditions={(field) => setShown({ kind: 'conditions', field })}
        />
        <IndexRows collection={collection} />
      </div>
      {shown?.kind === 'field' && <FieldDrawer collection={collection} field={shown.field} onClose={close} />}
      {shown?.kind === 'conditions' && <ConditionsDrawer collection={collection} field={shown.field} onClose={close} />}
      {shown?.kind === 'group' && <GroupDialog collection={collection} onClose={close} />}
      {shown?.kind === 'relation' && <RelationDrawer here={collection} onClose={close} />}
      {shown?.kind === 'settings' && <CollectionSettings collection={collection} onClose={close} />}
    </>
  );
}
