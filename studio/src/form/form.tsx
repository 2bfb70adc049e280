// The form of an item, made from metadata: fields in their order, width and group, each with the interface its metadata names or the usual
// one of its type. Conditions are decided on the draft, so a form changes while it is filled in.

import { type ReactNode, useCallback, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { DraftStore } from '../draft/draft-store.js';
import { isAbout, type Refusal } from '../draft/refusals.js';
import { FieldFault } from '../interfaces/field-fault.js';
import { FieldLabel } from '../interfaces/field-label.js';
import { findInterface } from '../interfaces/interfaces.js';
import { findPresentation } from '../interfaces/presentations.js';
import { activeCondition, withCondition } from '../schema/conditions.js';
import { fieldsIn, isFixed, isGroup, isOffered } from '../schema/form-fields.js';
import type { MatchContext } from '../schema/match-filter.js';
import type { Collection, Field } from '../schema/model.js';
import { type Maker, makerOf } from '../schema/new-item.js';
import { fieldsFor } from '../schema/permissions.js';
import { isTyped } from '../schema/typed.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { LargeValue, useLargeText } from './large-value.js';
import '../primitives/tabs.css';

interface FormProps {
  readonly collection: Collection;
  /** Null: the item is new. */
  readonly itemKey: string | null;
  readonly store: DraftStore;
  readonly isReadOnly: boolean;
  /** Fields that are filled elsewhere. */
  readonly leftOut?: readonly string[];
}

export function Form(props: FormProps) {
  return (
    <div className="form">
      <FieldList {...props} group={null} />
    </div>
  );
}

interface FieldListProps extends FormProps {
  readonly group: string | null;
}

function FieldList({ group, ...form }: FieldListProps) {
  const isNew = form.itemKey === null;
  const fields = fieldsIn(form.collection, group).filter((field) => isOffered(field, isNew) && !(form.leftOut ?? []).includes(field.name));
  return fields.map((field) => <FormPart key={field.name} {...form} field={field} />);
}

interface FormPartProps extends FormProps {
  readonly field: Field;
}

/** A field, a group of fields, or a piece of presentation, as its conditions leave it. */
function FormPart({ field: configured, ...form }: FormPartProps) {
  const { collection, store } = form;
  const context = useMatchContext();
  const find = useCallback(
    () => (configured.conditions.length === 0 ? -1 : activeCondition(context, collection, configured, store.values())),
    [context, collection, configured, store],
  );
  const condition = useSyncExternalStore(store.subscribe, find);
  const field = useMemo(() => withCondition(configured, condition), [configured, condition]);
  if (field.hidden) return null;
  if (isGroup(field)) return <FieldGroup {...form} field={field} />;
  const Presentation = findPresentation(field);
  if (Presentation !== undefined)
    return (
      <div className={widthClass(field)}>
        <Presentation field={field} />
      </div>
    );
  return <FormField {...form} field={field} />;
}

export function useMatchContext(): MatchContext {
  const { schema, me } = useStudio().boot;
  return useMemo(() => ({ schema, user: me.id, now: new Date() }), [schema, me]);
}

const widths: Readonly<Record<string, string>> = {
  half: 'half',
  'half-left': 'half left',
  'half-right': 'half right',
  'half-space': 'half left',
};
const widthClass = ({ width }: Field): string => widths[width] ?? '';

function FieldGroup({ field, ...form }: FormPartProps) {
  if (field.interface === 'group-accordion') return <Accordion {...form} field={field} />;
  if (field.interface === 'group-tabs') return <TabGroup {...form} field={field} />;
  if (field.interface === 'group-detail')
    return (
      <Section {...form} field={field} startsOpen={field.options['start'] !== 'closed'}>
        <FieldList {...form} group={field.name} />
      </Section>
    );
  return <FieldList {...form} group={field.name} />;
}

/** Each part of an accordion is a group of its own with its title, or a single field. */
function Accordion({ field, ...form }: FormPartProps) {
  const start = field.options['start'] ?? 'first';
  const parts = fieldsIn(form.collection, field.name).filter((part) => !part.hidden);
  return (
    <div className="accordion">
      {parts.map((part, index) => (
        <Section key={part.name} {...form} field={part} startsOpen={start === 'opened' || (start === 'first' && index === 0)}>
          {isGroup(part) ? <FieldList {...form} group={part.name} /> : <FormPart {...form} field={part} />}
        </Section>
      ))}
    </div>
  );
}

/** Each part of a tab group is a group of its own, or a single field. A refusal inside a tab leads there. */
function TabGroup({ field, ...form }: FormPartProps) {
  const { collection, store } = form;
  const parts = fieldsIn(collection, field.name).filter((part) => !part.hidden);
  const [chosen, setChosen] = useState<string | null>(null);
  const refusals = useSyncExternalStore(store.subscribe, () => store.refusals);
  const isRefused = (part: Field): boolean => isAboutAny(refusals, [part, ...fieldsBelow(collection, part.name)]);
  const refused = parts.find(isRefused)?.name;
  useEffect(() => {
    if (refused !== undefined) setChosen(refused);
  }, [refused]);
  return (
    <Tabs className="tab-group" selectedKey={chosen ?? parts[0]?.name ?? ''} onSelectionChange={(key) => setChosen(String(key))}>
      <TabList className="tab-list" aria-label={field.title}>
        {parts.map((part) => (
          <Tab key={part.name} id={part.name} className={`tab ${isRefused(part) ? 'refused' : ''}`}>
            {part.title}
          </Tab>
        ))}
      </TabList>
      {parts.map((part) => (
        <TabPanel key={part.name} id={part.name} className="tab-panel">
          <div className="form inner">
            {isGroup(part) ? <FieldList {...form} group={part.name} /> : <FormPart {...form} field={part} />}
          </div>
        </TabPanel>
      ))}
    </Tabs>
  );
}

const isAboutAny = (refusals: readonly Refusal[], fields: readonly Field[]): boolean =>
  refusals.some((refusal) => fields.some(({ name }) => isAbout(refusal, name)));

interface SectionProps extends FormPartProps {
  readonly startsOpen: boolean;
  readonly children: ReactNode;
}

/** Fields behind a title. A refusal inside opens it. */
function Section({ field, collection, store, startsOpen, children }: SectionProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const refusals = useSyncExternalStore(store.subscribe, () => store.refusals);
  useEffect(() => {
    if (isAboutAny(refusals, [field, ...fieldsBelow(collection, field.name)])) setOpen(true);
  }, [refusals, collection, field]);
  return (
    <details className="section" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{field.title}</summary>
      {field.note !== null && <p className="hint">{field.note}</p>}
      <div className="form inner">{children}</div>
    </details>
  );
}

const fieldsBelow = (collection: Collection, group: string): readonly Field[] =>
  fieldsIn(collection, group).flatMap((field) => [field, ...(isGroup(field) ? fieldsBelow(collection, field.name) : [])]);

function FormField({ field, collection, itemKey, store, isReadOnly }: FormPartProps) {
  const text = useText();
  const id = useId();
  const isNew = itemKey === null;
  const mayWrite = useMayWrite(collection, isNew ? 'create' : 'update', field);
  const value = useSyncExternalStore(store.subscribe, () => store.value(field.name));
  const refusals = useSyncExternalStore(store.subscribe, () => store.refusals);
  const discards = useSyncExternalStore(store.subscribe, () => store.discards);
  const large = useLargeText(store.base[field.name]);
  const [isLoaded, setLoaded] = useState(false);
  const isChanged = useSyncExternalStore(store.subscribe, () => store.isChanged(field.name));
  const { component: Input, isKnown, hasLabel } = findInterface(field);
  const own = refusals.filter((refusal) => isAbout(refusal, field.name));
  const maker = useMaker(collection, field, isNew && (value ?? null) === null);
  const [refusal] = own;
  const isFaulty = isTyped(value);
  const isRefused = isFaulty || refusal !== undefined;
  const describedBy = [field.note === null ? '' : `${id}-note`, maker === null ? '' : `${id}-maker`, isRefused ? `${id}-refusal` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`${widthClass(field)} ${isChanged ? 'changed' : ''}`} data-field={field.name}>
      <FieldLabel id={id} field={field} hasLabel={hasLabel} />
      {large !== null && !isLoaded && !isChanged && field.relation === null ? (
        <LargeValue labelledBy={`${id}-label`} field={field} text={large} onLoad={() => setLoaded(true)} />
      ) : (
        <Input
          key={discards}
          id={id}
          labelledBy={`${id}-label`}
          describedBy={describedBy === '' ? undefined : describedBy}
          field={field}
          itemKey={itemKey}
          value={value}
          stored={store.base[field.name]}
          refusals={own}
          isReadOnly={isReadOnly || !mayWrite || isFixed(field, isNew)}
          isRefused={isRefused}
          onChange={(next) => store.set(field.name, next)}
        />
      )}
      {!isKnown && field.interface !== null && <p className="hint">{text.unknownInterface(field.interface)}</p>}
      {field.note !== null && (
        <p className="hint" id={`${id}-note`}>
          {field.note}
        </p>
      )}
      {maker !== null && (
        <p className="hint" id={`${id}-maker`}>
          {maker.expression === null ? text.madeWhenSaved : text.madeByDatabase(maker.expression)}
        </p>
      )}
      {isFaulty && <FieldFault id={`${id}-refusal`} value={value} isChecked={refusal !== undefined} />}
      {refusal !== undefined && !isFaulty && (
        <p className="refusal" id={`${id}-refusal`} role="alert">
          {refusal.message}
        </p>
      )}
    </div>
  );
}

/** Who fills in the field of a new item as long as it is left empty. */
function useMaker(collection: Collection, field: Field, isLeft: boolean): Maker | null {
  const { permissions } = useStudio().boot;
  return isLeft ? makerOf(field, collection, permissions) : null;
}

/** Whether the caller may write this field of some item. A to-many field is written through the collection it leads to. */
function useMayWrite(collection: Collection, action: 'create' | 'update', field: Field): boolean {
  return fieldsFor(useStudio().boot.permissions, collection, action)(field.name);
}
