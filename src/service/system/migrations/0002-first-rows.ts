// The rows every other part counts on: the epochs and the settings.

import { definitionOf } from '../../../core/engine/definition-of.js';
import { epochNames } from '../../../core/engine/epochs.js';
import { type SystemRows, systemRows } from '../../../core/engine/system-rows.js';
import type { Migration } from '../migration.js';

export const firstRows: Migration = {
  version: '0002',
  name: 'first rows',
  async run({ dialect, connection, definitions, systemSchema }) {
    const rows = (collection: string): SystemRows => systemRows(dialect.syntax, definitionOf(definitions, collection), systemSchema);
    const epochs = rows('service_epoch');
    for (const name of epochNames) {
      if ((await epochs.read(connection, ['name'], { name })).length === 0) await epochs.insert(connection, [{ name, value: 1 }]);
    }
    const settings = rows('service_settings');
    if ((await settings.read(connection, ['id'])).length === 0)
      await settings.insert(connection, [{ id: 1, project_id: crypto.randomUUID() }]);
  },
};
