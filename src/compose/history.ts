// Puts history together: what is recorded of every write, and for how long.

import type { Config } from '../config.js';
import { bulkRows } from '../core/engine/own-rows/bulk-rows.js';
import { systemRows } from '../core/engine/own-rows/system-rows.js';
import type { Jobs } from '../core/engine/store/jobs.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { SystemDefinition } from '../core/schema/system-definition.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import { servicePage } from '../service/auth/account/send-mail.js';
import { users } from '../service/definitions/accounts.js';
import { translations } from '../service/definitions/application.js';
import { idempotency as idempotencyKeys } from '../service/definitions/bookkeeping.js';
import { activity, revisions, versions as versionRows } from '../service/definitions/history.js';
import { recordWrites } from '../service/history/revisions/record-writes.js';
import { sweepHistory } from '../service/history/revisions/sweep-history.js';
import type { HistoryDeps } from '../service/history/revisions/write-records.js';
import { guardShares } from '../service/history/subjects/guard-shares.js';
import { guardSubjects } from '../service/history/subjects/guard-subjects.js';
import { mailNotifications } from '../service/history/subjects/mail-notifications.js';
import { notifyMentioned } from '../service/history/subjects/notify-mentioned.js';
import { guardVersions } from '../service/history/versions/guard-versions.js';
import type { VersionDeps } from '../service/history/versions/version.js';
import { openVersionReader, type VersionReader, withMetaAlways } from '../service/history/versions/version-reader.js';
import { digestWith } from '../service/secrets/token.js';
import { clearAvatars, guardTranslations } from '../service/system/resources.js';
import { type Idempotency, openIdempotency } from '../service/utilities/idempotency.js';
import type { Identity } from './auth.js';
import type { Engine } from './engine.js';

export interface ComposeHistoryDeps {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly system: SystemHome;
  readonly engine: Engine;
  readonly secret: string;
  readonly identity: Identity;
  readonly jobs: Jobs;
}

export interface History {
  readonly context: HistoryDeps;
  readonly idempotency: Idempotency;
  readonly versions: VersionDeps;
  readonly versionReader: VersionReader;
  /** The same for REST. On adopted tables it answers as Directus does, for the clients of the former server. */
  readonly restVersionReader: VersionReader;
  stop(): Promise<void>;
}

export function composeHistory(deps: ComposeHistoryDeps): History {
  const { config, dialect, store, system, engine, secret, jobs } = deps;
  const { ofUser, ofUsers } = deps.identity.authentication.authenticator;
  const context: HistoryDeps = {
    reader: engine.ownReader,
    tables: {
      activity: bulkRows(dialect, activity, system),
      revisions: bulkRows(dialect, revisions, system),
      keepsPrevious: hasColumn(system, revisions, 'previous'),
      keepsAccessKeys: hasColumn(system, activity, 'access_key'),
    },
  };
  if (config.history) recordWrites(engine.hooks, context);
  const swept = {
    activity: systemRows(dialect.syntax, activity, system),
    revisions: systemRows(dialect.syntax, revisions, system),
  };
  // On adopted tables nothing is swept: that history belongs to the other server.
  if (config.historyRetention !== null && system.adopted === null)
    jobs.add(sweepHistory(swept, { connection: dialect.driver, retentionMs: config.historyRetention }));
  const versions: VersionDeps = {
    reader: engine.reader,
    own: engine.ownReader,
    writer: engine.writer,
    digest: (text) => digestWith(secret, `version ${text}`),
    ofUser,
    versions: systemRows(dialect.syntax, versionRows, system),
    tables: config.history ? context.tables : null,
    isAdopted: system.adopted !== null,
  };
  const versionReader = openVersionReader(versions);
  guardVersions(engine.hooks, versions);
  guardShares(engine.hooks, { reader: engine.reader, store });
  guardSubjects(engine.hooks, engine.reader);
  notifyMentioned(engine.hooks, { reader: engine.ownReader, writer: engine.writer, ofUsers });
  const stopMails = startMails(deps);
  guardTranslations(engine.hooks, systemRows(dialect.syntax, translations, system));
  clearAvatars(engine.hooks, systemRows(dialect.syntax, users, system));
  const answers = systemRows(dialect.syntax, idempotencyKeys, system);
  const idempotency = openIdempotency({ writer: engine.writer, rows: answers, connection: dialect.driver, secret });
  jobs.add(idempotency.sweep);
  return {
    context,
    idempotency,
    versions,
    versionReader,
    restVersionReader: system.adopted?.marksVersions ? withMetaAlways(versionReader) : versionReader,
    stop: stopMails,
  };
}

/** The tables of another server lack some. */
const hasColumn = (system: SystemHome, definition: SystemDefinition, name: string): boolean =>
  !system.find(definition).lacking.some(({ field }) => field === name);

/** Without a mail server there are notifications and no mails about them, not even in the log. */
function startMails({ config, engine, identity }: ComposeHistoryDeps): () => Promise<void> {
  if (config.mailUrl === null) return async () => undefined;
  const { auth } = identity;
  const studio = config.admin ? servicePage(auth, '/admin') : null;
  return mailNotifications(engine.hooks, { ...auth, studio });
}
