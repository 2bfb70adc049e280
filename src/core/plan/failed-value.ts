// One FAILED_VALIDATION entry: the field, the rule it breaks, and the way to it from the root of the payload.

import type { ErrorEntry } from '../errors/service-error.js';

export const failedValue = (field: string, type: string, path: readonly string[], text: string): ErrorEntry => ({
  code: 'FAILED_VALIDATION',
  message: `Validation failed for field "${field}". ${text}`,
  extensions: { field, type, path },
});
