// What an installation needs in tests: cheap stand-ins are not wanted, so the real hashing is used.

import type { Dialect } from '../../src/core/vendor/dialect.js';
import { hashPassword } from '../../src/service/secrets/hash-password.js';
import { randomToken } from '../../src/service/secrets/random-token.js';
import { digestToken } from '../../src/service/secrets/token-digest.js';
import type { InstallOptions } from '../../src/service/system/install.js';

export const installOptions = (dialect: Dialect, changes: Partial<InstallOptions> = {}): InstallOptions => ({
  dialect,
  systemSchema: null,
  secret: null,
  adminEmail: null,
  adminPassword: null,
  adminToken: null,
  hashPassword,
  digestToken,
  randomToken,
  ...changes,
});
