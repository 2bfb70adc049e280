// Puts together what the service tells of itself.

import type { Engine } from './compose-engine.js';
import type { Config } from './config.js';
import { serviceCaller } from './core/access/view.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import type { MetaRow } from './core/schema/meta-row.js';
import { textOf } from './core/schema/meta-row.js';
import type { Dialect } from './core/vendor/dialect.js';
import type { ServerSources } from './doors/rest/server-routes.js';
import { checkHealth } from './service/describe/health.js';
import { describeApi } from './service/describe/openapi/describe-api.js';
import { describeServer, publicSettings, type ServerFacts } from './service/describe/server-info.js';
import { version } from './version.js';

export interface DescribeFloor {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly engine: Engine;
}

export function composeDescribe({ config, dialect, store, engine }: DescribeFloor): ServerSources {
  const facts: ServerFacts = {
    version,
    queryLimit: { default: config.queryLimitDefault, max: config.queryLimitMax ?? -1 },
    rateLimit: config.rateLimit,
    uploadLimit: config.uploadLimit,
  };
  const readSettings = async (): Promise<MetaRow> => {
    const work = { caller: serviceCaller(store.current()), connection: dialect.driver, signal: null, afterCommit: null };
    const [row = {}] = await engine.reader.objects(work, 'service_settings', { fields: publicSettings, limit: 1 });
    return row;
  };
  return {
    health: () => checkHealth(dialect, version, config.publicUrl ?? 'tain'),
    info: async (caller) => describeServer(caller, await readSettings(), facts),
    openApi: async ({ view, accountability: { user, share } }, url) => {
      const settings = await readSettings();
      const asker = { view, isUser: user !== null, isGuest: share !== null, registration: settings['public_registration'] === true };
      return describeApi(asker, { title: textOf(settings, 'project_name') ?? 'Tain', url: config.publicUrl ?? url });
    },
  };
}
