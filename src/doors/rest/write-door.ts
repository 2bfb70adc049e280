// What writing routes work with.

import type { Writer } from '../../core/engine/writer.js';
import type { Idempotency } from '../../service/utilities/idempotency.js';
import type { ReadDoor } from './read-routes.js';

export interface WriteDoor extends ReadDoor {
  readonly writer: Writer;
  readonly idempotency: Idempotency;
}
