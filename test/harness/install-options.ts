// The options of an installation in tests.

import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import type { InstallOptions } from '../../src/service/system/install.js';

export const installOptions = (dialect: Dialect, changes: Partial<InstallOptions> = {}): InstallOptions => ({
  dialect,
  system: ownHome(systemDefinitions),
  secret: null,
  adminEmail: null,
  adminPassword: null,
  adminToken: null,
  ...changes,
});
