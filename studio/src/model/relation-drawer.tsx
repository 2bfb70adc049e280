// A new relation, with both of its ends shown while it is made.

import { type FormEvent, useId, useState } from 'react';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { addCards } from './desk/desk.js';
import { planRelation, type RelationKind } from './desk/plan-changes.js';
import { Labelled } from './fields/field-parts.js';
import { isReferable } from './fields/type-select.js';
import { NameInput, ReviewFoot, useModelText, useOpenDesk } from './model-base.js';

const kinds: readonly RelationKind[] = ['m2o', 'o2m', 'm2m'];

export function RelationDrawer({ here, onClose }: { readonly here: Collection; readonly onClose: () => void }) {
  const text = useModelText();
  const { schema } = useStudio().boot;
  const openDesk = useOpenDesk();
  const id = useId();
  const others = [...schema.values()].filter(isReferable).toSorted((left, right) => Number(left.isSystem) - Number(right.isSystem));
  const [kind, setKind] = useState<RelationKind>('m2o');
  const [name, setName] = useState(others.find((each) => each !== here)?.name ?? here.name);
  const [field, setField] = useState('');
  const [other, setOther] = useState('');
  const there = schema.get(name) ?? here;
  const junction = `${here.name}_${there.name}`;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const onDelete = String(form.get('on_delete') ?? 'SET NULL');
    const between = String(form.get('junction') ?? junction).trim();
    addCards(planRelation(schema, text, { kind, here, there, field: field.trim(), other: other.trim(), junction: between, onDelete }));
    onClose();
    openDesk();
  };
  return (
    <SideDrawer title={text.newRelation} foot={<ReviewFoot form={`${id}-form`} onClose={onClose} />} onClose={onClose}>
      <form id={`${id}-form`} className="model-form" onSubmit={submit}>
        <fieldset className="plain-set">
          <legend className="label">{text.relationKind}</legend>
          {kinds.map((each) => (
            <label key={each} className="switch check-line">
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              {text.relationKinds[each]}
            </label>
          ))}
        </fieldset>
        <div>
          <label className="label" htmlFor={`${id}-there`}>
            {text.otherCollection}
          </label>
          <select id={`${id}-there`} className="input" value={name} onChange={(event) => setName(event.target.value)}>
            {others.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title}
              </option>
            ))}
          </select>
        </div>
        <Labelled title={text.fieldHere(here.title)}>
          {(inputId) => <NameInput id={inputId} required value={field} onChange={(event) => setField(event.target.value)} />}
        </Labelled>
        <OtherEnd kind={kind} there={there} junction={junction} other={other} onOther={setOther} />
        <Ends here={here} there={there} kind={kind} field={field} other={other} junction={junction} />
      </form>
    </SideDrawer>
  );
}

interface OtherEndProps {
  readonly kind: RelationKind;
  readonly there: Collection;
  readonly junction: string;
  readonly other: string;
  readonly onOther: (name: string) => void;
}

function OtherEnd({ kind, there, junction, other, onOther }: OtherEndProps) {
  const text = useModelText();
  if (kind === 'm2m')
    return (
      <Labelled title={text.junction}>
        {(id) => <NameInput id={id} key={junction} name="junction" required defaultValue={junction} />}
      </Labelled>
    );
  return (
    <>
      <Labelled title={kind === 'm2o' ? text.listThere(there.title) : text.fieldThere(there.title)}>
        {(id) => <NameInput id={id} required={kind === 'o2m'} value={other} onChange={(event) => onOther(event.target.value)} />}
      </Labelled>
      <Labelled title={text.onDelete}>
        {(id) => (
          <select id={id} name="on_delete" className="input">
            {Object.entries(text.onDeletes).map(([rule, title]) => (
              <option key={rule} value={rule}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </>
  );
}

interface EndsProps {
  readonly here: Collection;
  readonly there: Collection;
  readonly kind: RelationKind;
  readonly field: string;
  readonly other: string;
  readonly junction: string;
}

/** Both ends as they will be. */
function Ends({ here, there, kind, field, other, junction }: EndsProps) {
  const text = useModelText();
  const arrow = kind === 'm2o' ? '→' : kind === 'o2m' ? '⇉' : `⇄ ${junction} ⇄`;
  return (
    <section className="relation-ends" aria-label={text.newRelation}>
      <div>
        <span className="hint">{text.here}</span>
        <strong>{here.title}</strong>
        <code>{field || '…'}</code>
      </div>
      <span className="relation-arrow" aria-hidden="true">
        {arrow}
      </span>
      <div>
        <span className="hint">{text.there}</span>
        <strong>{there.title}</strong>
        <code>{kind === 'm2m' ? '' : other || (kind === 'm2o' ? '–' : '…')}</code>
      </div>
    </section>
  );
}
