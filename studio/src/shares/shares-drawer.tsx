// The links that open an item to people without an account: those there are, and a form for one more.

import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { showToast } from '../primitives/toasts.js';
import { Labelled } from '../session/sign-in-parts.js';
import { useMay, useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import {
  inviteToShare,
  linkOf,
  type NewShare,
  type Role,
  type Share,
  type Shared,
  stateOf,
  useShareActions,
  useShares,
  useSharesText,
} from './share-data.js';
import './shares.css';

interface SharesDrawerProps extends Shared {
  readonly title: string;
  readonly onClose: () => void;
}

export function SharesDrawer({ title, onClose, ...shared }: SharesDrawerProps) {
  const text = useSharesText();
  const may = useMay();
  const { data, error } = useShares(shared);
  return (
    <SideDrawer title={text.title(title)} onClose={onClose}>
      <div className="shares">
        <p className="hint">{text.hint}</p>
        {error !== null && (
          <p className="banner" role="alert">
            {text.failed} {error.message}
          </p>
        )}
        {data?.shares.length === 0 && <p>{text.none}</p>}
        {data !== undefined && data.shares.length > 0 && (
          <ul className="share-list">
            {data.shares.map((share) => (
              <ShareEntry key={share.id} share={share} shared={shared} mayRemove={may('shares', 'delete')} />
            ))}
          </ul>
        )}
        {data !== undefined && may('shares', 'create') && <NewLink shared={shared} roles={data.roles} />}
      </div>
    </SideDrawer>
  );
}

interface ShareEntryProps {
  readonly share: Share;
  readonly shared: Shared;
  readonly mayRemove: boolean;
}

function ShareEntry({ share, shared, mayRemove }: ShareEntryProps) {
  const text = useSharesText();
  const { remove } = useShareActions(shared);
  const [asks, setAsks] = useState<'invite' | 'remove' | null>(null);
  const name = share.name ?? text.unnamed;
  const state = stateOf(share, Date.now());
  const close = () => setAsks(null);
  const copy = async () => {
    await navigator.clipboard.writeText(linkOf(share.id));
    showToast(text.copied);
  };
  const removeNow = async () => {
    close();
    try {
      await remove(share.id);
      showToast(text.removed);
    } catch (error) {
      if (error instanceof ApiError) showToast(error.message);
    }
  };
  const invite = async (form: FormData) => {
    const emails = addressesIn(String(form.get('emails')));
    await inviteToShare(share.id, emails);
    showToast(text.invited(emails.length));
  };
  return (
    <li>
      <div className="share-head">
        <strong>{name}</strong>
        <span className={state === 'open' ? 'badge plain' : 'badge'}>{text.states[state]}</span>
      </div>
      <p className="hint">{useFacts(share).join(' · ')}</p>
      <div className="share-actions">
        <button type="button" className="button small" aria-label={text.copyOf(name)} onClick={copy}>
          <Icon name="copy" />
          {text.copy}
        </button>
        <button type="button" className="button small" aria-label={text.inviteBy(name)} onClick={() => setAsks('invite')}>
          {text.invite}
        </button>
        {mayRemove && (
          <button type="button" className="button small" aria-label={text.removeOf(name)} onClick={() => setAsks('remove')}>
            {text.remove}
          </button>
        )}
      </div>
      {asks === 'invite' && (
        <FormDialog title={text.inviteBy(name)} action={text.inviteSend} onSubmit={invite} onClose={close}>
          <Addresses />
        </FormDialog>
      )}
      {asks === 'remove' && (
        <ConfirmDialog
          title={text.removeAsk(name)}
          hint={text.removeHint}
          action={text.removeAction}
          onConfirm={() => void removeNow()}
          onCancel={close}
        />
      )}
    </li>
  );
}

/** What there is to know of a link besides its name. */
function useFacts({ role, password, date_start, date_end, max_uses, times_used }: Share): readonly string[] {
  const text = useSharesText();
  const { dateTime, number } = useLanguage();
  return [
    ...(role === undefined ? [] : [role?.name ?? text.everybody]),
    ...(password === null ? [] : [text.withPassword]),
    text.uses(number.format(times_used ?? 0), max_uses === null ? null : number.format(max_uses)),
    ...(date_start === null ? [] : [text.from(dateTime.format(new Date(date_start)))]),
    ...(date_end === null ? [] : [text.until(dateTime.format(new Date(date_end)))]),
  ];
}

const addressesIn = (typed: string): readonly string[] => typed.split(/[\s,;]+/).filter((address) => address !== '');

function Addresses() {
  const text = useSharesText();
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {text.inviteTo}
      </label>
      <textarea id={id} name="emails" className="input" rows={4} required aria-describedby={`${id}-hint`} />
      <p className="hint" id={`${id}-hint`}>
        {text.inviteHint}
      </p>
    </div>
  );
}

function NewLink({ shared, roles }: { readonly shared: Shared; readonly roles: readonly Role[] }) {
  const text = useSharesText();
  const { unreachable } = useText();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { create } = useShareActions(shared);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSending(true);
    setRefusal(null);
    try {
      await create(readNewShare(new FormData(event.currentTarget)));
      form.current?.reset();
      showToast(text.created);
    } catch (error) {
      setRefusal(error instanceof ApiError && error.status > 0 ? error.message : unreachable);
    }
    setSending(false);
  };
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{text.newLink}</h3>
      <form ref={form} className="share-form" onSubmit={submit}>
        <Labelled label={text.name} name="name" hint={text.nameHint} maxLength={255} autoComplete="off" />
        <RoleSelect roles={roles} />
        <Labelled label={text.password} mark={text.optional} name="password" type="password" autoComplete="new-password" />
        <div className="share-pair">
          <Labelled label={text.start} mark={text.optional} name="start" type="datetime-local" />
          <Labelled label={text.end} mark={text.optional} name="end" type="datetime-local" />
        </div>
        <Labelled label={text.maxUses} mark={text.optional} name="uses" type="number" min={1} max={1_000_000} hint={text.maxUsesHint} />
        <p role="alert" className="refusal" hidden={refusal === null}>
          {refusal}
        </p>
        <button type="submit" className="button primary" disabled={isSending}>
          {text.create}
        </button>
      </form>
    </section>
  );
}

function RoleSelect({ roles }: { readonly roles: readonly Role[] }) {
  const text = useSharesText();
  const { isAdmin } = useStudio().boot;
  const id = useId();
  // People share with a role of their own: mostly there is one.
  const only = !isAdmin && roles.length === 1 ? roles[0]?.id : undefined;
  return (
    <div>
      <label className="label" htmlFor={id}>
        {text.role}
      </label>
      <select id={id} name="role" className="input" required defaultValue={only ?? ''} aria-describedby={`${id}-hint`}>
        <option value="" disabled>
          {text.chooseRole}
        </option>
        <option value={everybody}>{text.everybody}</option>
        {roles.map((role) => (
          <option key={role.id} value={role.id}>
            {role.name}
          </option>
        ))}
      </select>
      <p className="hint" id={`${id}-hint`}>
        {text.roleHint}
      </p>
    </div>
  );
}

const everybody = 'everybody';

function readNewShare(form: FormData): NewShare {
  const given = (name: string): string | null => String(form.get(name) ?? '') || null;
  const moment = (name: string): string | null => {
    const typed = given(name);
    return typed === null ? null : new Date(typed).toISOString();
  };
  const role = given('role');
  const uses = given('uses');
  return {
    name: given('name'),
    role: role === everybody ? null : role,
    password: given('password'),
    date_start: moment('start'),
    date_end: moment('end'),
    max_uses: uses === null ? null : Number(uses),
  };
}
