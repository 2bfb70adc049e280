// One permission of a policy: which items, which fields, and what is set or demanded when something is written. A rule is proven while it is
// typed: how many items match, and some that do and do not.

import { lazy, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { request } from '../api/client.js';
import { type FilterGroup, isFinished, noFilter, printFilter, readFilter } from '../filter/filter-tree.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { type Action, type Person, type Policy, type StoredPermission, useAccessText, usePolicyText } from './access-data.js';
import { FieldChoice } from './field-choice.js';
import { isEmptyRule, permissionsFor } from './permission-level.js';
import { isPreset, PresetList } from './preset-list.js';
import { RuleProof } from './rule-proof.js';
import { useChange } from './use-change.js';

const FilterBuilder = lazy(async () => ({ default: (await import('../filter/filter-builder.js')).FilterBuilder }));

interface PermissionDrawerProps {
  readonly policy: Policy;
  /** The user for whom rules about the current user are tried. */
  readonly person: Person | null;
  readonly collection: string;
  readonly action: Action;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

interface Draft {
  readonly scope: 'none' | 'some' | 'all';
  readonly rule: FilterGroup;
  readonly fields: readonly string[];
  readonly presets: Readonly<Record<string, unknown>>;
  readonly validation: FilterGroup | null;
}

export function PermissionDrawer({ policy, person, collection: name, action, onSaved, onClose }: PermissionDrawerProps) {
  const access = useAccessText();
  const policyText = usePolicyText();
  const text = useText();
  const { schema } = useStudio().boot;
  const collection = schema.get(name);
  const present = permissionsFor(policy.permissions, name, action);
  const [stored] = present;
  const [draft, setDraft] = useState<Draft>(() => readDraft(stored));
  const [isChecked, setChecked] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const change = useChange();
  if (collection === undefined) return null;
  const edit = (edits: Partial<Draft>) => setDraft({ ...draft, ...edits });
  const save = async () => {
    setChecked(true);
    if (!isStorable(draft)) return focusUnfinished(form);
    setSaving(true);
    const done = await change(() => store(policy, name, action, stored, draft), access.saved(access.does[action], collection.title));
    setSaving(false);
    if (!done) return;
    onSaved();
    onClose();
  };
  const writes = action === 'create' || action === 'update';
  const foot = (
    <>
      {isChecked && !isStorable(draft) ? (
        <p className="refusal" role="alert">
          {access.notSaved}
        </p>
      ) : (
        <p className="hint">{policyText(policy.name)}</p>
      )}
      <button type="button" className="button" onClick={onClose}>
        {text.cancel}
      </button>
      <button type="button" className="button primary" disabled={isSaving} onClick={save}>
        {access.savePermission}
      </button>
    </>
  );
  return (
    <SideDrawer title={access.permissionTitle(access.actions[action], collection.title)} isWide foot={foot} onClose={onClose}>
      <div ref={form} className="permission-form">
        {present.length > 1 && <p className="banner quiet">{access.severalPermissions(present.length)}</p>}
        <Items collection={collection} action={action} person={person} draft={draft} isChecked={isChecked} onChange={edit} />
        {draft.scope !== 'none' && (
          <>
            {action !== 'delete' && action !== 'share' && (
              <FieldChoice collection={collection} chosen={draft.fields} onChange={(fields) => edit({ fields })} />
            )}
            {writes && (
              <PresetList collection={collection} presets={draft.presets} isChecked={isChecked} onChange={(presets) => edit({ presets })} />
            )}
            {writes && (
              <Validation
                collection={collection}
                rule={draft.validation}
                isChecked={isChecked}
                onChange={(validation) => edit({ validation })}
              />
            )}
          </>
        )}
      </div>
    </SideDrawer>
  );
}

function readDraft(stored: StoredPermission | undefined): Draft {
  return {
    scope: stored === undefined ? 'none' : isEmptyRule(stored.permissions) ? 'all' : 'some',
    rule: isEmptyRule(stored?.permissions) ? noFilter : readFilter(stored?.permissions),
    fields: stored?.fields ?? (stored === undefined ? ['*'] : []),
    presets: stored?.presets ?? {},
    validation: isEmptyRule(stored?.validation) ? null : readFilter(stored?.validation),
  };
}

/** Whether the draft says all that it shows. "Every item" has to be chosen: it is never what is left of a rule. */
const isStorable = ({ scope, rule, validation, presets }: Draft): boolean =>
  scope === 'none' ||
  ((scope === 'all' || isFinished(rule)) && (validation === null || isFinished(validation)) && Object.values(presets).every(isPreset));

function focusUnfinished(form: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const places = ['[aria-invalid="true"]', '[data-unfinished] select', '.filter-add button'];
    const found = places.map((place) => form.current?.querySelector<HTMLElement>(place));
    found.find((place) => place instanceof HTMLElement)?.focus();
  });
}

/** Writes the draft, and returns what takes it back. */
async function store(
  policy: Policy,
  collection: string,
  action: Action,
  stored: StoredPermission | undefined,
  draft: Draft,
): Promise<(() => Promise<unknown>) | null> {
  if (draft.scope === 'none') {
    if (stored === undefined) return null;
    await request('DELETE', `/permissions/${stored.id}`);
    const { id: _, ...before } = stored;
    return () => request('POST', '/permissions', { body: { policy: policy.id, ...before } });
  }
  const body = {
    permissions: draft.scope === 'some' ? printFilter(draft.rule) : {},
    fields: draft.fields,
    presets: Object.keys(draft.presets).length === 0 ? null : draft.presets,
    validation: draft.validation === null ? null : printFilter(draft.validation),
  };
  if (stored === undefined) {
    const { data } = await request<StoredPermission>('POST', '/permissions', { body: { policy: policy.id, collection, action, ...body } });
    return () => request('DELETE', `/permissions/${data.id}`);
  }
  await request('PATCH', `/permissions/${stored.id}`, { body });
  const { permissions, fields, presets, validation } = stored;
  return () => request('PATCH', `/permissions/${stored.id}`, { body: { permissions, fields, presets, validation } });
}

interface ItemsProps {
  readonly collection: Collection;
  readonly action: Action;
  readonly person: Person | null;
  readonly draft: Draft;
  readonly isChecked: boolean;
  readonly onChange: (edits: Partial<Draft>) => void;
}

function Items({ collection, action, person, draft, isChecked, onChange }: ItemsProps) {
  const access = useAccessText();
  const name = useId();
  const isNew = action === 'create';
  const scopes = isNew ? (['none', 'all'] as const) : (['none', 'all', 'some'] as const);
  const titles = { none: access.none, all: isNew ? access.allowedToCreate : access.allItems, some: access.someItems };
  const rule = printFilter(draft.rule);
  return (
    <fieldset className="plain-set permission-part">
      <legend className="label">{isNew ? access.newItems : access.whichItems}</legend>
      <div className="scopes">
        {scopes.map((scope) => (
          <label key={scope} className="scope" data-chosen={draft.scope === scope}>
            <input type="radio" name={name} checked={draft.scope === scope} onChange={() => onChange({ scope })} />
            {titles[scope]}
          </label>
        ))}
      </div>
      {draft.scope === 'some' && (
        <div className="rule">
          <Suspense fallback={null}>
            <FilterBuilder
              collection={collection}
              filter={draft.rule}
              isChecked={isChecked}
              onChange={(next) => onChange({ rule: next })}
            />
          </Suspense>
          {rule === undefined || !isFinished(draft.rule) ? (
            <p className="hint" role="status">
              {access.ruleUnfinished}
            </p>
          ) : (
            <RuleProof collection={collection} rule={rule} person={person} />
          )}
        </div>
      )}
    </fieldset>
  );
}

interface ValidationProps {
  readonly collection: Collection;
  readonly rule: FilterGroup | null;
  readonly isChecked: boolean;
  readonly onChange: (rule: FilterGroup | null) => void;
}

function Validation({ collection, rule, isChecked, onChange }: ValidationProps) {
  const access = useAccessText();
  return (
    <fieldset className="plain-set permission-part">
      <legend className="label">{access.validation}</legend>
      <p className="hint">{access.validationHint}</p>
      {rule === null ? (
        <button type="button" className="button small" onClick={() => onChange(noFilter)}>
          {access.addValidation}
        </button>
      ) : (
        <div className="rule">
          <Suspense fallback={null}>
            <FilterBuilder collection={collection} filter={rule} isChecked={isChecked} onChange={onChange} />
          </Suspense>
          <button type="button" className="button small" onClick={() => onChange(null)}>
            {access.removeValidation}
          </button>
        </div>
      )}
    </fieldset>
  );
}
