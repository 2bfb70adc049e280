// Opens the copies that a dialect was given, in front of its primary. Loads the code for it only then.

import { checkAccess, closeOnFailure } from './check-access.js';
import type { DatabaseError } from './database-error.js';
import { type DialectOptions, defaultDeadlines } from './dialect.js';
import type { Driver } from './driver.js';
import { nameOfHost, splitHosts } from './hosts.js';
import type { ReplicatedDriver } from './replicated-driver.js';
import type { Replicas, Replication } from './replication.js';

interface ReplicaOpener {
  /** Opens a driver with these options in place of the primary's. */
  open(own: Pick<DialectOptions, 'url' | 'poolSize' | 'readOnly' | 'deadlines'>): Driver;
  readonly replication: Replication;
  /** Says why the server refuses the service for good; null for any other error. */
  explain(error: DatabaseError): string | null;
}

interface OpenedReplicas {
  readonly driver: Driver;
  readonly replicas: Replicas | null;
  /** Call it with the result of a transaction that began at the primary. */
  readonly noting: ReplicatedDriver['noting'];
}

/** Shorter than for the primary: a read that a copy does not answer can still go to the primary. */
const silenceMs = 1_000;

export async function withReplicas(primary: Driver, options: DialectOptions, opener: ReplicaOpener): Promise<OpenedReplicas> {
  const { replicas: asked, poolSize, deadlines = defaultDeadlines } = options;
  if (asked === undefined || asked.urls.length === 0) return { driver: primary, replicas: null, noting: (work) => work };
  const { openReplicatedDriver } = await import('./replicated-driver.js');
  const own = { readOnly: true, deadlines: { ...deadlines, silenceMs: Math.min(deadlines.silenceMs, silenceMs) } };
  const sources = asked.urls.flatMap(splitHosts).map((url) => ({
    name: nameOfHost(url),
    driver: opener.open({ ...own, url, poolSize }),
    watch: opener.open({ ...own, url, poolSize: 1 }),
  }));
  const driver = openReplicatedDriver({ ...asked, primary, replicas: sources, replication: opener.replication });
  for (const { name, watch } of sources) {
    const explain = (error: DatabaseError): string | null => {
      const reason = opener.explain(error);
      return reason === null ? null : `DATABASE_READ_URLS: ${name}: ${reason}`;
    };
    await closeOnFailure(driver, checkAccess(watch, explain));
  }
  return { driver, replicas: driver.replicas, noting: (work) => driver.noting(work) };
}
