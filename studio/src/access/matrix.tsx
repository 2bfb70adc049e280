// Collections by actions: what a policy allows, cell by cell. A cell opens the details of its permission.

import { useMemo, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { request } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { type Action, actions, type Policy, type StoredPermission, useAccessText } from './access-data.js';
import { type Level, levelOf, missingActions, permissionsFor, unlimited } from './permission-level.js';
import { useChange } from './use-change.js';

interface MatrixProps {
  readonly policy: Policy;
  readonly onOpen: (collection: string, action: Action) => void;
}

export function Matrix({ policy, onOpen }: MatrixProps) {
  const access = useAccessText();
  const text = useText();
  const { schema } = useStudio().boot;
  const [searchText, setSearchText] = useState('');
  const all = useMemo(
    () => [...schema.values()].filter(({ isFolder }) => !isFolder).toSorted((left, right) => left.title.localeCompare(right.title)),
    [schema],
  );
  const lower = searchText.trim().toLowerCase();
  const fits = ({ title, name }: Collection): boolean => lower === '' || `${title} ${name}`.toLowerCase().includes(lower);
  const own = all.filter((each) => !each.isSystem && fits(each));
  const system = all.filter((each) => each.isSystem && fits(each));
  const shared = { policy, onOpen };
  return (
    <section aria-label={access.matrix}>
      <div className="matrix-tools">
        <h2>{access.matrix}</h2>
        <input
          className="input"
          type="search"
          placeholder={access.findCollection}
          aria-label={access.findCollection}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      </div>
      <Legend />
      {own.length === 0 && lower !== '' && system.length === 0 ? (
        <p className="hint">{text.noMatch}</p>
      ) : (
        <Rows {...shared} label={access.legend} collections={own} />
      )}
      {system.length > 0 && (
        <details className="section system-rows" open={lower !== ''}>
          <summary>{access.systemCollections}</summary>
          <Rows {...shared} label={access.systemCollections} collections={system} />
        </details>
      )}
    </section>
  );
}

function Legend() {
  const access = useAccessText();
  return (
    <p className="matrix-legend hint">
      {(['all', 'some', 'none'] as const).map((level) => (
        <span key={level}>
          <LevelMark level={level} /> {access.levels[level]}
        </span>
      ))}
    </p>
  );
}

interface RowsProps extends MatrixProps {
  readonly label: string;
  readonly collections: readonly Collection[];
}

function Rows({ policy, label, collections, onOpen }: RowsProps) {
  const access = useAccessText();
  return (
    <table className="matrix" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{access.collection}</th>
          {actions.map((action) => (
            <th key={action} scope="col">
              {access.actions[action]}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {collections.map((collection) => (
          <tr key={collection.name}>
            <th scope="row">{collection.title}</th>
            {actions.map((action) => {
              const level = levelOf(permissionsFor(policy.permissions, collection.name, action));
              return (
                <td key={action}>
                  <button
                    type="button"
                    className={`cell ${level}`}
                    aria-label={access.cell(collection.title, access.actions[action], access.levels[level])}
                    title={access.cell(collection.title, access.actions[action], access.levels[level])}
                    onClick={() => onOpen(collection.name, action)}
                  >
                    <span className="cell-action" aria-hidden="true">
                      {access.actions[action]}
                    </span>
                    <LevelMark level={level} />
                  </button>
                </td>
              );
            })}
            <td className="row-menu">
              <RowMenu policy={policy} collection={collection} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LevelMark({ level }: { readonly level: Level }) {
  return (
    <span className={`level ${level}`} aria-hidden="true">
      {level === 'all' && <Icon name="check" />}
    </span>
  );
}

/** The whole row at once; what it changes can be undone. */
function RowMenu({ policy, collection }: { readonly policy: Policy; readonly collection: Collection }) {
  const access = useAccessText();
  const change = useChange();
  const allow = (wanted: readonly Action[]) =>
    change(async () => {
      const body = missingActions(policy.permissions, collection.name, wanted).map((action) => ({
        policy: policy.id,
        ...unlimited(collection.name, action),
      }));
      if (body.length === 0) return null;
      const { data } = await request<readonly StoredPermission[]>('POST', '/permissions', { body });
      return () => request('DELETE', '/permissions', { body: data.map(({ id }) => id) });
    });
  const close = () =>
    change(async () => {
      const present = policy.permissions.filter((permission) => permission.collection === collection.name);
      if (present.length === 0) return null;
      await request('DELETE', '/permissions', { body: present.map(({ id }) => id) });
      return () =>
        request('POST', '/permissions', { body: present.map(({ id: _, ...permission }) => ({ policy: policy.id, ...permission })) });
    });
  return (
    <MenuTrigger>
      <Button className="button quiet icon-only" aria-label={access.rowMenu(collection.title)}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu aria-label={access.rowMenu(collection.title)} className="menu">
          <MenuItem className="option" onAction={() => allow(['read'])}>
            {access.allowReading}
          </MenuItem>
          <MenuItem className="option" onAction={() => allow(actions)}>
            {access.allowAll}
          </MenuItem>
          <MenuItem className="option danger" onAction={close}>
            {access.allowNothing}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
