// The address by which a client reached the service, as its Host header says: that may be anything, such as `a b` or `localhost:99999`.

import { invalidPayload } from '../../core/errors/service-error.js';

export function visitedUrl(address: string): URL {
  if (!URL.canParse(address)) throw invalidPayload('The "Host" header is not the name of a host.');
  return new URL(address);
}
