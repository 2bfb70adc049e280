// Starts Studio: one boot request decides between the sign-in form and the application, which is loaded only for people who are signed in.

import { lazy, StrictMode, Suspense, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Boot, languageFor, loadBoot, type Providers, readProviders, readPublic, SecondFactorMissing } from './api/boot.js';
import { speakAs } from './api/speaker.js';
import { listenForEscape } from './primitives/escape.js';
import { type Entry, leaveEntry, readEntry, takeReason } from './session/entry.js';
import { SecondFactor } from './session/second-factor.js';
import { SignIn } from './session/sign-in.js';
import { entryTexts } from './text/entry-texts.js';
import { type Language, LanguageContext, loadLanguage } from './text/use-text.js';
import './theme.css';

const App = lazy(async () => ({ default: (await import('./app.js')).App }));
const Setup = lazy(async () => ({ default: (await import('./session/setup.js')).Setup }));
const SharedPage = lazy(async () => ({ default: (await import('./shares/shared-page.js')).SharedPage }));
const ChoosePassword = lazy(async () => ({ default: (await import('./session/choose-password.js')).ChoosePassword }));

/** The address Studio was opened at, when it is one for people who are not signed in. */
let entry = readEntry();

/** Why a login by a provider failed, if the browser comes back from one. */
const failure = takeReason();

type State =
  | { readonly kind: 'loading' | 'unreachable' }
  | SignedOut
  | { readonly kind: 'ready'; readonly boot: Boot; readonly language: Language };

interface SignedOut {
  readonly kind: 'signed-out';
  readonly project: string;
  readonly isSetUp: boolean;
  readonly providers: Providers;
  readonly entry: Entry | { readonly kind: 'second-factor' } | null;
  readonly language: Language;
}

function Studio() {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const start = useCallback(async () => setState(await findState()), []);
  useEffect(() => void start(), [start]);
  useEffect(() => {
    if (state.kind !== 'unreachable') return;
    const timer = setTimeout(start, 3000);
    return () => clearTimeout(timer);
  }, [state, start]);
  if (!('language' in state)) return <Waiting unreachable={state.kind === 'unreachable'} onRetry={start} />;
  return (
    <LanguageContext value={state.language}>
      <Suspense fallback={<Waiting unreachable={false} onRetry={start} />}>
        {state.kind === 'ready' ? <App boot={state.boot} onReload={start} /> : <Entrance {...state} onDone={start} />}
      </Suspense>
    </LanguageContext>
  );
}

function Entrance({ entry: at, project, isSetUp, providers, onDone }: SignedOut & { readonly onDone: () => Promise<void> }) {
  const leave = async () => {
    entry = null;
    leaveEntry();
    await onDone();
  };
  if (at === null) return <SignIn project={project} isSetUp={isSetUp} providers={providers} failure={failure} onSignedIn={onDone} />;
  if (at.kind === 'second-factor') return <SecondFactor project={project} onDone={onDone} />;
  if (at.kind === 'shared') return <SharedPage project={project} share={at.share} onLeave={leave} />;
  if (at.kind === 'setup') return <Setup project={project} code={at.secret} isOpen={!isSetUp} onDone={leave} />;
  return <ChoosePassword project={project} isInvitation={at.kind === 'accept-invite'} token={at.secret} onDone={leave} />;
}

async function findState(): Promise<State> {
  try {
    // Most people use the language of their browser: it is loaded beside what is asked of the service.
    void loadLanguage(navigator.language).catch(() => undefined);
    const boot = entry === null ? await loadBoot() : null;
    if (boot === null) return await signedOut(entry);
    applyAppearance(boot.project.project_color, boot.me.appearance);
    const language = await loadLanguage(languageFor(boot.me, boot.project));
    applyLanguage(language);
    speakAs({ language, schema: boot.schema });
    return { kind: 'ready', boot, language };
  } catch (error) {
    return error instanceof SecondFactorMissing ? await signedOut({ kind: 'second-factor' }).catch(() => unreachable) : unreachable;
  }
}

const unreachable = { kind: 'unreachable' } as const;

interface ServerInfo {
  readonly project?: { readonly project_name?: string; readonly project_color?: string };
  readonly setupCompleted: boolean;
}

async function signedOut(at: SignedOut['entry']): Promise<State> {
  const [{ data }, providers] = await Promise.all([readPublic<{ readonly data: ServerInfo }>('/server/info'), readProviders()]);
  applyAppearance(data.project?.project_color ?? null, null);
  const language = await loadLanguage(navigator.language);
  applyLanguage(language);
  speakAs({ language, schema: new Map() });
  return {
    kind: 'signed-out',
    project: data.project?.project_name ?? 'Tain',
    isSetUp: data.setupCompleted,
    providers,
    entry: at,
    language,
  };
}

function applyAppearance(color: string | null, appearance: string | null): void {
  const root = document.documentElement;
  if (color !== null && CSS.supports('color', color)) root.style.setProperty('--accent', color);
  if (appearance === 'light' || appearance === 'dark') root.dataset['theme'] = appearance;
  else delete root.dataset['theme'];
}

function applyLanguage({ tag, direction }: Language): void {
  document.documentElement.lang = tag;
  document.documentElement.dir = direction;
}

/** Shows nothing at first, because most starts are over within moments. */
function Waiting({ unreachable, onRetry }: { readonly unreachable: boolean; readonly onRetry: () => void }) {
  const text = entryTexts(navigator.language);
  if (!unreachable) return <main className="entry" aria-busy="true" aria-label={text.loading} />;
  return (
    <main className="entry">
      <div className="entry-card" role="alert">
        <h1>{text.unreachable}</h1>
        <p>{text.unreachableHint}</p>
        <button type="button" className="button" onClick={onRetry}>
          {text.retry}
        </button>
      </div>
    </main>
  );
}

listenForEscape();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <Studio />
  </StrictMode>,
);
