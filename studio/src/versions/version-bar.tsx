// Which version of an item is shown, and what can be done with it: make one, compare it with what is published, promote it, delete it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useSearchParams } from 'wouter';
import { request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { useText } from '../text/use-text.js';
import { CompareDialog } from './compare-dialog.js';
import { NewVersionDialog } from './new-version-dialog.js';
import { nameOfVersion, useVersions } from './use-versions.js';

interface VersionBarProps {
  readonly collection: Collection;
  readonly itemKey: string;
}

export function VersionBar({ collection, itemKey }: VersionBarProps) {
  const text = useText();
  const cache = useQueryClient();
  const [address, setAddress] = useSearchParams();
  const [open, setOpen] = useState<'new' | 'compare' | 'delete' | null>(null);
  const versions = useVersions(collection, itemKey) ?? [];
  const current = versions.find(({ key }) => key === address.get('version'));
  const show = (key: string | null) => setAddress(key === null ? {} : { version: key });
  const remove = async (id: string) => {
    setOpen(null);
    try {
      await request('DELETE', `/versions/${encodeURIComponent(id)}`);
      show(null);
      await cache.invalidateQueries({ queryKey: ['versions'] });
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
  };
  return (
    <>
      {current !== undefined && (
        <button type="button" className="button" onClick={() => setOpen('compare')}>
          {text.compareVersion}
        </button>
      )}
      <MenuTrigger>
        <Button className="button quiet" aria-label={`${text.version}: ${current === undefined ? text.published : nameOfVersion(current)}`}>
          <Icon name="branch" />
          <span className="cut wide-label">{current === undefined ? text.published : nameOfVersion(current)}</span>
        </Button>
        <Popover className="popover">
          <Menu aria-label={text.version}>
            <MenuItem className="option" onAction={() => show(null)}>
              {text.published}
            </MenuItem>
            {versions.map((version) => (
              <MenuItem key={version.id} className="option" onAction={() => show(version.key)}>
                {nameOfVersion(version)}
              </MenuItem>
            ))}
            <Separator className="menu-line" />
            <MenuItem className="option" onAction={() => setOpen('new')}>
              {text.newVersion}
            </MenuItem>
            {current !== undefined && (
              <MenuItem className="option danger" onAction={() => setOpen('delete')}>
                {text.deleteVersion(nameOfVersion(current))}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {open === 'new' && <NewVersionDialog collection={collection} itemKey={itemKey} onMade={show} onClose={() => setOpen(null)} />}
      {open === 'compare' && current !== undefined && (
        <CompareDialog collection={collection} version={current} onPromoted={() => show(null)} onClose={() => setOpen(null)} />
      )}
      {open === 'delete' && current !== undefined && (
        <ConfirmDialog
          title={text.deleteVersion(nameOfVersion(current))}
          hint={text.deleteVersionHint}
          action={text.delete}
          onConfirm={() => void remove(current.id)}
          onCancel={() => setOpen(null)}
        />
      )}
    </>
  );
}
