// Every operation of the service: doors offer them by their tables, embedders by their ids, and the parity test walks them all.

import { accessKeyOperations } from './access-keys.js';
import { accountOperations } from './accounts.js';
import { batch } from './batch/batch.js';
import { extensionOperations } from './extensions.js';
import { fileOperations } from './files.js';
import { flowOperations } from './flows.js';
import type { Operation } from './operation.js';
import { ownOperations } from './own.js';
import { providerOperations } from './providers.js';
import { serverOperations } from './server.js';
import { shareOperations } from './shares.js';
import { signInOperations } from './sign-in.js';
import { signOnOperations } from './sign-on.js';
import { previewStructure, structureChanges } from './structure/changes.js';
import { structureDocuments } from './structure/documents.js';
import { structureReads } from './structure/reads.js';
import { syncIdOperations } from './sync-ids.js';
import { utilityOperations } from './utilities.js';
import { versionOperations } from './versions.js';

export const catalogue: readonly Operation[] = [
  ...serverOperations,
  ...signInOperations,
  ...signOnOperations,
  ...shareOperations,
  ...providerOperations,
  ...accountOperations,
  ...accessKeyOperations,
  ...ownOperations,
  ...versionOperations,
  ...utilityOperations,
  ...flowOperations,
  ...extensionOperations,
  ...syncIdOperations,
  batch,
  ...structureReads,
  ...structureChanges.map(({ operation }) => operation),
  previewStructure,
  ...structureDocuments,
  ...fileOperations,
];

const byId = new Map(catalogue.map((operation) => [operation.id, operation]));

export const findOperation = (id: string): Operation | null => byId.get(id) ?? null;
