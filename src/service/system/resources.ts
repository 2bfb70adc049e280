// The system collections with their own path: one row of this table makes `/users` stand for `/items/service_users`. Collections,
// fields and relations are more than rows and have their own routes.

import type { SystemRows } from '../../core/engine/own-rows/system-rows.js';
import type { Hooks, WriteEvent } from '../../core/engine/write/hooks.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { users } from '../definitions/accounts.js';
import type { translations } from '../definitions/application.js';

export interface Resource {
  readonly path: string;
  readonly collection: string;
  /** Only the service writes it. */
  readonly readOnly: boolean;
}

const resource = (path: string, { readOnly = false }: Partial<Resource> = {}): Resource => ({
  path,
  collection: `service_${path}`,
  readOnly,
});

export const resources: readonly Resource[] = [
  resource('access'),
  resource('activity', { readOnly: true }),
  resource('comments'),
  resource('dashboards'),
  resource('files'),
  resource('flows'),
  resource('folders'),
  resource('notifications'),
  resource('operations'),
  resource('panels'),
  resource('permissions'),
  resource('policies'),
  resource('presets'),
  resource('revisions', { readOnly: true }),
  resource('roles'),
  resource('runs', { readOnly: true }),
  resource('settings'),
  resource('shares'),
  resource('translations'),
  resource('users'),
  resource('versions'),
];

/** Refuses a second text for a key and language in the words of the resource. The unique index would refuse it as well. */
export function guardTranslations(hooks: Hooks, rows: SystemRows<RowOf<typeof translations>>): void {
  hooks.before('service_translations', 'create', async ({ work, items }: WriteEvent) => {
    const names = items.flatMap(({ values }) => {
      const key = values.get('key');
      return typeof key === 'string' ? [{ key, language: values.get('language') }] : [];
    });
    const present = await rows.read(work.connection, ['key', 'language'], { key: names.map(({ key }) => key) });
    const taken = names.find(({ key, language }) => present.some((row) => row.key === key && row.language === language));
    if (taken !== undefined) throw invalidPayload(`There is a text for "${taken.key}" in "${String(taken.language)}" already.`);
    return undefined;
  });
}

/** The avatar of a user has no foreign key, because its file may come later: the reference ends with the file. */
export function clearAvatars(hooks: Hooks, accounts: SystemRows<RowOf<typeof users>>): void {
  hooks.before('service_files', 'delete', async ({ work, items }) => {
    await accounts.update(work.connection, { avatar: null }, { avatar: items.map(({ key }) => String(key)) });
    return undefined;
  });
}
