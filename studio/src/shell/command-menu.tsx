// The command menu: every collection, every part of Studio and every action by its name. Ctrl or Cmd and K opens it from anywhere.

import { useEffect, useMemo, useState } from 'react';
import { Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, SearchField } from 'react-aria-components';
import { useLocation } from 'wouter';
import { leaveStudio } from '../api/boot.js';
import { request } from '../api/client.js';
import type { ApiRequest } from '../mirror/api-request.js';
import { Icon, type IconName } from '../primitives/icon.js';
import { may } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import type { Messages } from '../text/messages.js';
import { useText } from '../text/use-text.js';
import { modulesOf } from './modules.js';

interface Command {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly run: () => void;
}

interface Section {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** More than these are never read, and every one costs time while somebody types. */
const mostShown = 30;
const mostSearched = 8;

/** Pages for administrators that no part at the side leads to at once. */
const adminPages: readonly { readonly href: string; readonly icon: IconName; readonly title: (text: Messages) => string }[] = [
  { href: '/model/diagram', icon: 'diagram', title: ({ modelDiagram }) => modelDiagram },
  { href: '/model/compare', icon: 'copy', title: ({ compareSnapshot }) => compareSnapshot },
  { href: '/settings/sign-on', icon: 'key', title: ({ signOn }) => signOn },
  { href: '/settings/translations', icon: 'globe', title: ({ translations }) => translations },
  { href: '/keys', icon: 'key', title: ({ keys }) => keys },
  { href: '/system/storage', icon: 'archive', title: ({ storage }) => storage },
  { href: '/system/statements', icon: 'history', title: ({ slowStatements }) => slowStatements },
];

interface CommandMenuProps {
  /** That of the page below; null: it makes none. */
  readonly request: ApiRequest | null;
  readonly onShowRequest: (request: ApiRequest) => void;
  readonly onClose: () => void;
}

export function CommandMenu({ request, onShowRequest, onClose }: CommandMenuProps) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const ofPage = useMemo((): readonly Command[] => {
    if (request === null) return [];
    return [{ id: 'request', title: text.showRequest, icon: 'code', run: () => onShowRequest(request) }];
  }, [request, onShowRequest, text]);
  useCloseKey(typed === '', onClose);
  const sections = useSections(typed.trim(), ofPage);
  const commands = new Map(sections.flatMap((section) => section.commands.map((command) => [command.id, command])));
  return (
    <ModalOverlay className="overlay command-overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="command-menu">
        <Dialog aria-label={text.commands}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={text.findAnything} autoFocus className="command-field">
              <Icon name="search" />
              <Input placeholder={text.findAnything} />
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
            <div className="command-list" tabIndex={0}>
              <Menu
                aria-label={text.commands}
                items={sections}
                onAction={(id) => {
                  onClose();
                  commands.get(String(id))?.run();
                }}
                renderEmptyState={() => <p className="hint">{text.noMatch}</p>}
              >
                {(section) => (
                  <MenuSection id={section.title} items={section.commands}>
                    <Header className="command-head">{section.title}</Header>
                    {section.commands.map(({ id, title, icon }) => (
                      <MenuItem key={id} id={id} className="option" textValue={title}>
                        <Icon name={icon} />
                        <span className="cut">{title}</span>
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Escape empties the field; an empty one has nothing to empty, wherever the focus is. */
function useCloseKey(isEmpty: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!isEmpty) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    };
    addEventListener('keydown', close, { capture: true });
    return () => removeEventListener('keydown', close, { capture: true });
  }, [isEmpty, onClose]);
}

/** What fits what was typed, actions of the page included. Titles that begin with it come first. */
function useSections(searchText: string, ofPage: readonly Command[]): readonly Section[] {
  const text = useText();
  const { boot, reload } = useStudio();
  const [, navigate] = useLocation();
  const all = useMemo(() => {
    const collections = [...boot.schema.values()].filter((each) => !each.hidden && !each.isSystem && !each.isFolder);
    const address = (name: string) => `/c/${encodeURIComponent(name)}`;
    const appear = (appearance: 'light' | 'dark' | null) => async () => {
      await request('PATCH', '/users/me', { body: { appearance }, query: { fields: 'id' }, asSelf: true });
      reload();
    };
    const places: readonly Command[] = [
      { id: 'home', title: text.home, icon: 'home', run: () => navigate('/') },
      ...(boot.seen === null ? [{ id: '/me', title: text.ownAccount, icon: 'user' as const, run: () => navigate('/me') }] : []),
      ...modulesOf(boot).map(({ href, icon, title }) => ({ id: href, title: title(text), icon, run: () => navigate(href) })),
      ...(boot.isAdmin && boot.seen === null
        ? adminPages.map(({ href, icon, title }) => ({ id: href, title: title(text), icon, run: () => navigate(href) }))
        : []),
      ...collections.map(({ name, title }) => ({ id: `go ${name}`, title, icon: 'table' as const, run: () => navigate(address(name)) })),
    ];
    const creatable = collections.filter(({ name, singleton }) => !singleton && may(boot.permissions, { name }, 'create'));
    const creations: readonly Command[] = creatable.map(({ name, title }) => ({
      id: `new ${name}`,
      title: text.newIn(title),
      icon: 'plus',
      run: () => navigate(`${address(name)}/+`),
    }));
    const actions: readonly Command[] = [
      { id: 'light', title: text.lightAppearance, icon: 'eye', run: () => void appear('light')() },
      { id: 'dark', title: text.darkAppearance, icon: 'eye', run: () => void appear('dark')() },
      { id: 'auto', title: text.systemAppearance, icon: 'eye', run: () => void appear(null)() },
      { id: 'reference', title: text.reference, icon: 'code', run: () => navigate('/api') },
      { id: 'graphiql', title: text.graphiql, icon: 'code', run: () => navigate('/api/graphql') },
      { id: 'out', title: text.signOut, icon: 'user', run: () => void leaveStudio() },
    ];
    const searches = (typed: string): readonly Command[] =>
      collections
        .filter(({ singleton }) => !singleton)
        .slice(0, mostSearched)
        .map(({ name, title }) => ({
          id: `search ${name}`,
          title: text.searchFor(typed, title),
          icon: 'search',
          run: () => navigate(`${address(name)}?search=${encodeURIComponent(typed)}`),
        }));
    return { places, creations, actions, searches };
  }, [boot, reload, navigate, text]);
  return useMemo(() => {
    const sections = [
      { title: text.goTo, commands: fitting(all.places, searchText) },
      { title: text.create, commands: searchText === '' ? [] : fitting(all.creations, searchText) },
      { title: text.searchIn, commands: searchText === '' ? [] : all.searches(searchText) },
      { title: text.actions, commands: fitting([...ofPage, ...all.actions], searchText) },
    ];
    return sections.filter(({ commands }) => commands.length > 0);
  }, [all, ofPage, searchText, text]);
}

function fitting(commands: readonly Command[], searchText: string): readonly Command[] {
  const words = searchText.toLowerCase().split(/\s+/);
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const begins = ({ title }: Command): number => (title.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return found.toSorted((left, right) => begins(left) - begins(right)).slice(0, mostShown);
}
