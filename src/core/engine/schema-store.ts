// Holds the schema of this moment. A new one is built beside the old and swapped in; requests keep the one they began with. Changes
// from other processes are noticed by the epochs, changes from outside the service by a look at the catalogue, which comes less often.

import { buildSchema } from '../schema/build-schema.js';
import type { RawDatabase } from '../schema/raw.js';
import type { Schema } from '../schema/schema.js';
import type { SystemDefinition } from '../schema/system-definition.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection } from '../vendor/driver.js';
import { definitionOf } from './definition-of.js';
import { type EpochName, type EpochValues, openEpochs } from './epochs.js';
import { loadMetadata } from './load-metadata.js';
import { paceLook } from './pace-look.js';
import { watchRegularly } from './watch-regularly.js';

export interface SchemaStoreOptions {
  readonly dialect: Dialect;
  readonly definitions: readonly SystemDefinition[];
  readonly systemSchema: string | null;
  /** How often to look for changes made elsewhere. */
  readonly lookEveryMs: number;
  /** A look that failed: the old schema stays. */
  readonly onError: (error: unknown) => void;
}

export interface SchemaStore {
  current(): Schema;
  /** The facts the current schema was built from, as structural changes need them. */
  database(): RawDatabase;
  /** Grows with every change of users, roles, policies and permissions. */
  policyEpoch(): number;
  /** Grows when sessions end before their time. */
  sessionEpoch(): number;
  /** Builds anew; resolves to a schema that knows everything committed before the call. */
  refresh(): Promise<Schema>;
  /** Notices at once what processes of the service changed; otherwise it would wait for the next look. One statement. */
  look(): Promise<void>;
  /** Whoever else calls this, in whatever process, waits until this transaction has ended. */
  holdOthers(connection: Connection): Promise<void>;
  /** Inside the transaction of a change: tells every process, this one too, to read again. */
  bumpEpoch(connection: Connection, name: EpochName): Promise<void>;
  /** Called after every swap of the schema and every new policy or session epoch; answers how to stop that. */
  subscribe(listener: () => void): () => void;
  close(): void;
}

interface Snapshot {
  readonly schema: Schema;
  readonly database: RawDatabase;
  readonly token: string;
  readonly epochs: EpochValues;
}

/** A change from outside is to be seen within two seconds; a catalogue that takes long to read is asked less often. */
const catalogueRestMs = { least: 1_000, most: 10_000 } as const;

export async function openSchemaStore(options: SchemaStoreOptions): Promise<SchemaStore> {
  const { dialect, definitions, systemSchema } = options;
  const epochs = openEpochs(dialect, definitionOf(definitions, 'service_epoch'), systemSchema);
  const observe = async (): Promise<Seen> => ({
    epochs: await epochs.read(dialect.driver),
    token: await dialect.changeToken(dialect.driver),
  });
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };

  let snapshot = await buildSnapshot(options, 1, observe);
  let policyEpoch = snapshot.epochs.policy;
  let sessionEpoch = snapshot.epochs.session;

  const swap = async (): Promise<Schema> => {
    snapshot = await buildSnapshot(options, snapshot.schema.version + 1, observe);
    policyEpoch = Math.max(policyEpoch, snapshot.epochs.policy);
    sessionEpoch = Math.max(sessionEpoch, snapshot.epochs.session);
    notify();
    return snapshot.schema;
  };
  const refresh = oneAtATime(swap);

  const look = async (): Promise<void> => {
    const seen = await epochs.read(dialect.driver);
    if (seen.schema !== snapshot.epochs.schema) await refresh();
    else if (seen.policy > policyEpoch || seen.session > sessionEpoch) {
      policyEpoch = Math.max(policyEpoch, seen.policy);
      sessionEpoch = Math.max(sessionEpoch, seen.session);
      notify();
    }
  };
  const readToken = paceLook(() => dialect.changeToken(dialect.driver), catalogueRestMs);
  const lookAround = async (): Promise<void> => {
    await look();
    const token = await readToken();
    if (token !== null && token !== snapshot.token) await refresh();
  };

  const stop = watchRegularly(lookAround, options.lookEveryMs, options.onError);
  return {
    current: () => snapshot.schema,
    database: () => snapshot.database,
    policyEpoch: () => policyEpoch,
    sessionEpoch: () => sessionEpoch,
    refresh,
    look,
    holdOthers: epochs.hold,
    bumpEpoch: epochs.bump,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}

type Seen = Pick<Snapshot, 'epochs' | 'token'>;

const maxReadings = 5;

/** What was seen before the build belongs to it: a change during the build then shows at the next look. A catalogue that is being changed
 *  may tell half of it (a table under alteration can be missing for a moment), so it is read again until it keeps still. */
async function buildSnapshot(options: SchemaStoreOptions, version: number, observe: () => Promise<Seen>): Promise<Snapshot> {
  const { dialect, definitions, systemSchema } = options;
  for (let readings = 1; ; readings += 1) {
    const seen = await observe();
    const database = await dialect.introspect(dialect.driver);
    const metadata = await loadMetadata(dialect, dialect.driver, definitions, systemSchema);
    if (readings < maxReadings && (await dialect.changeToken(dialect.driver)) !== seen.token) continue;
    return { ...seen, database, schema: buildSchema(version, database, metadata, definitions, systemSchema) };
  }
}

/** Callers during a run share one more run after it: the running one may have read before their change was committed. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    const run = work().finally(() => {
      running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (running === null && next === null) return start();
    next ??= (running ?? Promise.resolve())
      .catch(() => null)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}
