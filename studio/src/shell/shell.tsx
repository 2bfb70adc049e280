// The frame of every screen: the tree of collections at the side (a drawer on phones) and the page beside it.

import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAway } from '../api/connection.js';
import { FrameContext } from '../frame/page-head.js';
import type { ApiRequest } from '../mirror/api-request.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { Bell } from '../talk/bell.js';
import { useUnread } from '../talk/use-unread.js';
import { useText } from '../text/use-text.js';
import { AccountMenu } from './account-menu.js';
import { CollectionTree } from './collection-tree.js';
import { Modules } from './modules.js';

const SeeAsBar = lazy(async () => ({ default: (await import('../see-as/see-as-bar.js')).SeeAsBar }));
const CommandMenu = lazy(async () => ({ default: (await import('./command-menu.js')).CommandMenu }));
const RequestDrawer = lazy(async () => ({ default: (await import('../mirror/request-drawer.js')).RequestDrawer }));

export function Shell({ children }: { readonly children: ReactNode }) {
  const text = useText();
  const { project, seen } = useStudio().boot;
  const unread = useUnread();
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  const name = project.project_name ?? 'Tain';
  const [asksCommand, setAsksCommand] = useState(false);
  const openCommands = useCallback(() => setAsksCommand(true), []);
  useCommandKey(openCommands);
  const main = useRef<HTMLElement>(null);
  const request = useRef<ApiRequest | null>(null);
  const [shown, setShown] = useState<ApiRequest | null>(null);
  const frame = useMemo(
    () => ({
      openTree: () => setOpen(true),
      setRequest: (next: ApiRequest | null) => {
        request.current = next;
      },
      showRequest: setShown,
    }),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(() => setOpen(false), [location]);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [open]);
  return (
    <div className="shell" data-seen={seen !== null} data-unread={seen === null && unread > 0}>
      <button type="button" className="button skip-link" onClick={() => main.current?.focus()}>
        {text.skipToContent}
      </button>
      <nav className="side" aria-label={text.collections} data-open={open}>
        <div className="side-head">
          <div className="entry-mark" aria-hidden="true">
            {name.slice(0, 1)}
          </div>
          <Link href="/" title={name}>
            <span>{name}</span>
          </Link>
          {seen === null && <Bell />}
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.commands}
            aria-keyshortcuts="Control+K Meta+K"
            onClick={openCommands}
          >
            <Icon name="search" />
          </button>
          {open && (
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={() => setOpen(false)}>
              <Icon name="close" />
            </button>
          )}
        </div>
        <Modules />
        <CollectionTree />
        <div className="side-foot">
          <AccountMenu />
        </div>
      </nav>
      <FrameContext value={frame}>
        <main ref={main} tabIndex={-1} className="main">
          <AwayBanner />
          {seen !== null && (
            <Suspense fallback={null}>
              <SeeAsBar seen={seen} />
            </Suspense>
          )}
          {children}
        </main>
      </FrameContext>
      {asksCommand && (
        <Suspense fallback={null}>
          <CommandMenu request={request.current} onShowRequest={setShown} onClose={() => setAsksCommand(false)} />
        </Suspense>
      )}
      {shown !== null && (
        <Suspense fallback={null}>
          <RequestDrawer request={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** Shown while the service is unreachable and requests wait for it. */
function AwayBanner() {
  const text = useText();
  const isAway = useAway();
  return (
    <div role="status" className="away">
      {isAway && <p className="banner amber">{text.away}</p>}
    </div>
  );
}

function useCommandKey(openCommands: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      openCommands();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [openCommands]);
}
