// The saved views of a list: choosing one, saving what the list shows, and managing the present one.

import { lazy, Suspense, useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { ApiError } from '../../api/client.js';
import { Icon } from '../../primitives/icon.js';
import { showToast } from '../../primitives/toasts.js';
import type { Preset } from '../../schema/preset.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { ListSettings, ListState } from '../list-state.js';
import { plainSettings } from '../list-state.js';
import { type Audience, isSameView, settingsOf } from './presets.js';
import { byAudience, type Views } from './use-views.js';

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.js')).ViewDialog }));

interface ViewsMenuProps {
  readonly views: Views;
  readonly state: ListState;
  readonly onChange: (state: ListState, settings: ListSettings) => void;
}

const audiences: readonly Audience[] = ['own', 'role', 'all'];

export function ViewsMenu({ views, state, onChange }: ViewsMenuProps) {
  const text = useText();
  const [dialog, setDialog] = useState<'create' | 'rename' | null>(null);
  const { translate } = useStudio().boot;
  const nameOf = ({ bookmark }: Preset): string => translate(bookmark ?? '');
  const { current } = views;
  const isChanged = current !== undefined && !isSameView(settingsOf(current), state);
  const open = (view: Preset | undefined) => {
    const settings = view === undefined ? plainSettings : settingsOf(view);
    onChange({ ...settings, view: view === undefined ? null : String(view.id) }, settings);
  };
  const attempt = async (act: () => Promise<void>, message: string) => {
    try {
      await act();
      showToast(message);
    } catch (error) {
      showToast(error instanceof ApiError && error.status > 0 ? error.message : text.unreachable);
    }
  };
  const run = (action: string | number) => {
    const chosen = views.views.find(({ id }) => `view-${id}` === action);
    if (chosen !== undefined) return open(chosen);
    if (action === 'all') return open(undefined);
    if (action === 'create' || action === 'rename') return setDialog(action);
    if (current === undefined) return;
    if (action === 'reset') return open(current);
    if (action === 'save') return void attempt(() => views.update(current, state), text.list.viewSaved);
    if (action === 'remove')
      void attempt(async () => {
        await views.remove(current);
        open(undefined);
      }, text.list.viewRemoved);
  };
  return (
    <>
      <MenuTrigger>
        <Button className="button quiet">
          <Icon name="bookmark" />
          <span className="cut view-name">{current === undefined ? text.list.views : nameOf(current)}</span>
          {isChanged && <span className="dot" role="img" aria-label={text.list.viewChanged} />}
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" onAction={run}>
            <MenuItem id="all" className="option">
              {text.list.allItems}
            </MenuItem>
            {audiences
              .filter((audience) => byAudience(views.views, audience).length > 0)
              .map((audience) => (
                <MenuSection key={audience}>
                  <Header className="menu-head">{text.list.audiences[audience]}</Header>
                  {byAudience(views.views, audience).map((view) => (
                    <MenuItem key={view.id} id={`view-${view.id}`} className="option" textValue={nameOf(view)}>
                      <span className="option-mark">{view.id === current?.id && <Icon name="check" />}</span>
                      {nameOf(view)}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            <Separator className="menu-line" />
            {isChanged && (
              <MenuItem id="save" className="option">
                {text.list.saveView(nameOf(current))}
              </MenuItem>
            )}
            {isChanged && (
              <MenuItem id="reset" className="option">
                {text.list.resetView}
              </MenuItem>
            )}
            <MenuItem id="create" className="option">
              {text.list.newView}
            </MenuItem>
            {current !== undefined && (
              <MenuItem id="rename" className="option">
                {text.list.renameView}
              </MenuItem>
            )}
            {current !== undefined && (
              <MenuItem id="remove" className="option danger">
                {text.list.removeView(nameOf(current))}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {dialog !== null && (
        <Suspense fallback={null}>
          <ViewDialog
            renamed={dialog === 'rename' ? current : undefined}
            onClose={() => setDialog(null)}
            onSubmit={async (name, audience, role) => {
              if (dialog === 'rename' && current !== undefined) return views.rename(current, name);
              const view = await views.create(name, audience, role, state);
              onChange({ ...state, view: String(view.id) }, settingsOf(view));
            }}
          />
        </Suspense>
      )}
    </>
  );
}
