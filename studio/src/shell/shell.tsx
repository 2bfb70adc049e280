// The frame of every screen: the tree of collections at the side (a drawer on phones) and the page beside it.

import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { AccountMenu } from './account-menu.js';
import { AwayBanner } from './away-banner.js';
import { CollectionTree } from './collection-tree.js';
import { Modules } from './modules.js';
import { MenuButtonContext } from './page-head.js';

const SeeAsBar = lazy(async () => ({ default: (await import('../see-as/see-as-bar.js')).SeeAsBar }));
const CommandMenu = lazy(async () => ({ default: (await import('./command-menu.js')).CommandMenu }));

export function Shell({ children }: { readonly children: ReactNode }) {
  const text = useText();
  const { project, seen } = useStudio().boot;
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  const name = project.project_name ?? 'Tain';
  const [asksCommand, setAsksCommand] = useState(false);
  const openCommands = useCallback(() => setAsksCommand(true), []);
  useCommandKey(openCommands);
  const openMenu = useCallback(() => setOpen(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(() => setOpen(false), [location]);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [open]);
  return (
    <div className="shell" data-seen={seen !== null}>
      <nav className="side" aria-label={text.collections} data-open={open}>
        <div className="side-head">
          <div className="entry-mark" aria-hidden="true">
            {name.slice(0, 1)}
          </div>
          <Link href="/">
            <span>{name}</span>
          </Link>
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
      <MenuButtonContext value={openMenu}>
        <main className="main">
          <AwayBanner />
          {seen !== null && (
            <Suspense fallback={null}>
              <SeeAsBar seen={seen} />
            </Suspense>
          )}
          {children}
        </main>
      </MenuButtonContext>
      {asksCommand && (
        <Suspense fallback={null}>
          <CommandMenu onClose={() => setAsksCommand(false)} />
        </Suspense>
      )}
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
