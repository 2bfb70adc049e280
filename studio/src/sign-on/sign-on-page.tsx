// The providers to sign in by: those of the environment, which are shown, and those that are kept here.

import { useState } from 'react';
import { request } from '../api/client.js';
import { Crumb, PageHead } from '../frame/page-head.js';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { ProviderDrawer } from './provider-drawer.js';
import { type KeptProvider, signOnRequest, type Trial, useRefreshSignOn, useSignOn, useSignOnText } from './sign-on-data.js';
import { TrialResult } from './trial-result.js';
import './sign-on.css';
import { FailedRead } from '../primitives/failed-read.js';

export function SignOnPage() {
  const text = useText();
  const own = useSignOnText();
  const { data, error } = useSignOn();
  const [edited, setEdited] = useState<KeptProvider | 'new' | null>(null);
  const title = (
    <>
      <Crumb href="/settings" title={text.settings} />
      {text.signOn}
    </>
  );
  const providers = data?.auth_kept_providers.providers ?? [];
  return (
    <>
      <PageHead title={title} request={signOnRequest}>
        <button
          type="button"
          className="button primary"
          aria-label={own.add}
          disabled={data === undefined}
          onClick={() => setEdited('new')}
        >
          <Icon name="plus" />
          <span className="wide-label">{own.add}</span>
        </button>
      </PageHead>
      <div className="scroll sign-on-page">
        <FailedRead what={own.readFailed} error={error} />
        {data === undefined && error === null && <p className="hint">{text.loading}</p>}
        {data !== undefined && providers.length === 0 && (
          <div className="empty">
            <h2>{own.none}</h2>
            <p>{own.noneHint}</p>
          </div>
        )}
        {providers.length > 0 && (
          <>
            <p className="hint">{own.hint}</p>
            <ul className="provider-rows">
              {providers.map((provider) => (
                <ProviderRow key={`${provider.source} ${provider.name}`} provider={provider} onEdit={() => setEdited(provider)} />
              ))}
            </ul>
          </>
        )}
      </div>
      {edited !== null && data !== undefined && (
        <ProviderDrawer provider={edited === 'new' ? null : edited} signOn={data} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function ProviderRow({ provider, onEdit }: { readonly provider: KeptProvider; readonly onEdit: () => void }) {
  const own = useSignOnText();
  const text = useText();
  const refresh = useRefreshSignOn();
  const { name, label, driver, source, state, problems } = provider;
  const [isTrying, setTrying] = useState(false);
  const [trial, setTrial] = useState<Trial | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const tryIt = async () => {
    setTrying(true);
    setRefusal(null);
    try {
      setTrial((await request<Trial>('POST', '/auth/providers/try', { body: { name } })).data);
      await refresh();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : text.unreachable);
    } finally {
      setTrying(false);
    }
  };
  return (
    <li className="provider-row">
      <div className="provider-facts">
        <strong>{label}</strong>
        <span className="hint">
          {own.kinds[driver]} · <code>{name}</code>
        </span>
      </div>
      <div className="provider-states">
        <span className="badge provider-state" data-state={state}>
          {own.states[state]}
        </span>
        {source === 'environment' && (
          <span className="badge plain" title={own.ofEnvironmentHint}>
            {own.ofEnvironment}
          </span>
        )}
      </div>
      <div className="provider-actions">
        {(state === 'ready' || state === 'away') && driver !== 'local' && (
          <button
            type="button"
            className="button small"
            aria-label={isTrying ? undefined : own.tryOne(label)}
            disabled={isTrying}
            onClick={() => void tryIt()}
          >
            {isTrying ? own.trying : own.tryIt}
          </button>
        )}
        {source === 'settings' && (
          <button type="button" className="button quiet icon-only" aria-label={own.edit(label)} onClick={onEdit}>
            <Icon name="edit" />
          </button>
        )}
      </div>
      {problems.length > 0 && <p className="refusal provider-whole">{problems.join(' · ')}</p>}
      {refusal !== null && (
        <p className="refusal provider-whole" role="alert">
          {refusal}
        </p>
      )}
      {trial !== null && (
        <div className="provider-whole">
          <TrialResult trial={trial} />
        </div>
      )}
    </li>
  );
}
