// A store whose owner is not alone: whoever waits until this process has noticed a change waits until every other one has, too.

import type { SchemaStore } from './schema-store.js';

export function announceChanges(store: SchemaStore, announce: () => Promise<void>): SchemaStore {
  return {
    ...store,
    async look() {
      await store.look();
      await announce();
    },
    async refresh() {
      const schema = await store.refresh();
      await announce();
      return schema;
    },
  };
}
