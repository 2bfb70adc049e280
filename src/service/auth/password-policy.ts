// New passwords have to match the project's pattern, where it has one.

import { matchesRegex } from '../../core/access/match-regex.js';
import { serviceError } from '../../core/errors/service-error.js';

export function checkPasswordPolicy(policy: string | null, password: string): void {
  if (policy === null || matchesRegex(policy, password)) return;
  throw serviceError('FAILED_VALIDATION', 'Validation failed for field "password". Value doesn\'t have the correct format.', {
    field: 'password',
    path: [],
    type: 'regex',
  });
}
