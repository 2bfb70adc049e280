// The page that the link of a share leads to: the item, read-only, in the form it has in Studio, and nothing else. Only this page has the
// token of the share: a cookie would replace the session of a user who is signed in in the same browser. The token is kept in the history
// entry of the tab, so that a reload does not count as another use.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { type Boot, type Structure, structureQuery } from '../api/boot.js';
import { ApiError, actAs, graphql, request } from '../api/client.js';
import { DraftStore, entryKeeper } from '../draft/draft-store.js';
import type { Item } from '../draft/item.js';
import { Form } from '../form/form.js';
import { RelatedForms } from '../form/related-forms.js';
import { keySegment, keyText } from '../schema/item-key.js';
import '../form/form.css';
import { readItem } from '../form/read-item.js';
import { buildSchema } from '../schema/build-schema.js';
import type { Collection } from '../schema/model.js';
import { renderTemplate, templateOf } from '../schema/templates.js';
import { untranslated } from '../schema/translations.js';
import { EntryCard } from '../session/entry-card.js';
import { PasswordInput, refusalOf } from '../session/sign-in-parts.js';
import { itemsPath, StudioContext } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { type Share, stateOf, useSharesText } from './share-data.js';
import './shares.css';

/** What the service says about a share to everyone who has its link. */
interface ShareInfo extends Pick<Share, 'password' | 'date_start' | 'date_end' | 'max_uses' | 'times_used'> {
  readonly collection: string;
  readonly item: string;
}

type State =
  | { readonly kind: 'loading' | 'gone' | 'used' | 'hidden' }
  | { readonly kind: 'closed'; readonly info: ShareInfo }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'open'; readonly boot: Boot; readonly collection: Collection; readonly item: Item };

interface SharedPageProps {
  readonly project: string;
  /** The key of the share. */
  readonly share: string;
  readonly onLeave: () => Promise<void>;
}

export function SharedPage({ project, share, onLeave }: SharedPageProps) {
  const text = useSharesText();
  const { tag, text: general } = useLanguage();
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    actAs({ token: null });
    void look(share, project, tag).then(
      (found) => isCurrent && setState(found),
      (error: unknown) => isCurrent && setState({ kind: 'failed', message: refusalOf(error, general) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [share, general, project, tag]);
  const open = async (info: ShareInfo, password: string | null) => {
    try {
      setState(await openShare(share, info, password, project, tag));
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Somebody else may have made the last allowed use meanwhile.
      const found = await look(share, project, tag);
      if (found.kind !== 'closed') setState(found);
      else throw error;
    }
  };
  const leave = () => {
    actAs(null);
    return onLeave();
  };
  switch (state.kind) {
    case 'loading':
      return <main className="entry" aria-busy="true" aria-label={general.loading} />;
    case 'open':
      return <SharedItem {...state} project={project} />;
    case 'closed':
      return <Closed project={project} info={state.info} onOpen={(password) => open(state.info, password)} />;
    case 'failed':
      return (
        <EntryCard project={project} title={text.sharedTitle}>
          <p role="alert">{state.message}</p>
        </EntryCard>
      );
    default:
      return <Over project={project} why={state.kind} onLeave={leave} />;
  }
}

/** What can be known of a share before it is opened. */
async function look(share: string, project: string, language: string): Promise<State> {
  try {
    const { data: info } = await request<ShareInfo>('GET', `/shares/info/${encodeURIComponent(share)}`, { failFast: true });
    const again = await showAgain(info, project, language);
    if (again !== null) return again;
    return stateOf(info, Date.now()) === 'used' ? { kind: 'used' } : { kind: 'closed', info };
  } catch (error) {
    // The service answers alike for a share that has ended, has not begun, or never existed.
    if (isRefused(error)) return { kind: 'gone' };
    throw error;
  }
}

const isRefused = (error: unknown): boolean => error instanceof ApiError && (error.status === 401 || error.status === 403);

async function openShare(share: string, info: ShareInfo, password: string | null, project: string, language: string): Promise<State> {
  const body = { share, mode: 'json', ...(password === null ? {} : { password }) };
  const { data: tokens } = await request<{ readonly access_token: string }>('POST', '/shares/auth', { body, failFast: true });
  actAs({ token: tokens.access_token });
  history.replaceState({ ...history.state, [tokenName]: tokens.access_token }, '');
  return showItem(info, project, language);
}

const tokenName = 'shareToken';

/** What this page has opened before it was reloaded; null: nothing, or no longer. */
async function showAgain(info: ShareInfo, project: string, language: string): Promise<State | null> {
  const token: unknown = history.state?.[tokenName];
  if (typeof token !== 'string') return null;
  actAs({ token });
  const state = await showItem(info, project, language);
  if (state.kind === 'open') return state;
  actAs({ token: null });
  history.replaceState(null, '');
  return null;
}

async function showItem(info: ShareInfo, project: string, language: string): Promise<State> {
  try {
    const { collections, fields, relations } = await graphql<Structure>(`{ ${structureQuery} }`);
    const schema = buildSchema(collections, fields, relations, language);
    const collection = schema.get(info.collection);
    if (collection === undefined) return { kind: 'hidden' };
    const path = collection.singleton ? itemsPath(collection) : `${itemsPath(collection)}/${keySegment(collection, info.item)}`;
    const { item } = await readItem(schema, collection, path);
    return { kind: 'open', boot: bootOfGuest(project, schema), collection, item };
  } catch (error) {
    if (isRefused(error)) return { kind: 'hidden' };
    throw error;
  }
}

/** A boot answer without a user and without rights to write. */
const bootOfGuest = (project: string, schema: Boot['schema']): Boot => ({
  me: { id: '', email: null, first_name: null, last_name: null, language: null, appearance: null },
  isAdmin: false,
  seen: null,
  notice: null,
  project: { project_name: project, project_color: null, default_language: null },
  permissions: {},
  schema,
  isLive: false,
  maxUploadSize: null,
  presets: [],
  manualFlows: [],
  translate: untranslated,
  unread: 0,
});

interface ClosedProps {
  readonly project: string;
  readonly info: ShareInfo;
  readonly onOpen: (password: string | null) => Promise<void>;
}

function Closed({ project, info: { password, max_uses, times_used }, onOpen }: ClosedProps) {
  const text = useSharesText();
  const general = useText();
  const { number } = useLanguage();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const isProtected = password !== null;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('password') ?? '');
    setSending(true);
    setRefusal(null);
    try {
      await onOpen(isProtected ? typed : null);
    } catch (error) {
      setRefusal(isRefused(error) ? text.wrongPassword : refusalOf(error, general));
      setSending(false);
    }
  };
  return (
    <EntryCard project={project} title={text.sharedTitle}>
      {isProtected && <p>{text.passwordHint}</p>}
      {max_uses !== null && <p className="hint">{text.usesLeft(number.format(max_uses - (times_used ?? 0)))}</p>}
      <form onSubmit={(event) => void submit(event)}>
        {isProtected && <PasswordInput label={general.password} refused={refusal !== null} autoFocus />}
        <p role="alert" className="refusal" hidden={refusal === null}>
          {refusal}
        </p>
        <button className="button primary" type="submit" disabled={isSending}>
          {text.open}
        </button>
      </form>
    </EntryCard>
  );
}

interface OverProps {
  readonly project: string;
  readonly why: 'gone' | 'used' | 'hidden';
  readonly onLeave: () => Promise<void>;
}

function Over({ project, why, onLeave }: OverProps) {
  const text = useSharesText();
  const words = {
    gone: [text.goneTitle, text.goneHint],
    used: [text.usedUpTitle, text.usedUpHint],
    hidden: [text.hiddenTitle, text.hiddenHint],
  };
  const [title = '', hint] = words[why];
  return (
    <EntryCard project={project} title={title}>
      <p>{hint}</p>
      <button type="button" className="button" onClick={() => void onLeave()}>
        {text.toSignIn}
      </button>
    </EntryCard>
  );
}

interface SharedItemProps {
  readonly project: string;
  readonly boot: Boot;
  readonly collection: Collection;
  readonly item: Item;
}

function SharedItem({ project, boot, collection, item }: SharedItemProps) {
  const text = useSharesText();
  const { tag } = useLanguage();
  const itemKey = keyText(collection, item);
  const context = useMemo(() => ({ boot, reload: async () => undefined }), [boot]);
  const cache = useMemo(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }), []);
  const store = useMemo(
    () =>
      new DraftStore(
        item,
        entryKeeper({}, () => undefined),
      ),
    [item],
  );
  const title = renderTemplate(templateOf(collection), item) || itemKey || collection.title;
  return (
    <I18nProvider locale={tag}>
      <StudioContext value={context}>
        <QueryClientProvider client={cache}>
          <main className="shared-page">
            <header className="shared-head">
              <div className="entry-mark" aria-hidden="true">
                {project.slice(0, 1)}
              </div>
              <h1>{title}</h1>
            </header>
            <p className="banner quiet notice">{text.readOnly}</p>
            <RelatedForms>
              <Form collection={collection} itemKey={itemKey} store={store} isReadOnly />
            </RelatedForms>
          </main>
        </QueryClientProvider>
      </StudioContext>
    </I18nProvider>
  );
}
