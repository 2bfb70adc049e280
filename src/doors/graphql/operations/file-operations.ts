// A file from elsewhere, fetched by the service. Contents themselves travel over REST: bytes are no GraphQL values.

import { GraphQLID, GraphQLNonNull, GraphQLString } from 'graphql';
import { type Caller, lookUpCollection } from '../../../core/access/view.js';
import type { Work } from '../../../core/engine/work.js';
import type { Writer } from '../../../core/engine/writer.js';
import { type FilesContext, filesCollection } from '../../../service/files/files-context.js';
import { importFile } from '../../../service/files/import-file.js';
import { discardContents, discardUnkept, expectWrite } from '../../../service/files/keep-contents.js';
import { type ReceivedFile, withDefaults } from '../../../service/files/receive-upload.js';
import { jsonScalar } from '../schema/scalars.js';
import type { Operation, OperationCall } from './operation.js';

export interface FileSources {
  readonly files: FilesContext;
  readonly writer: Writer;
}

export const fileOperations = (sources: FileSources): readonly Operation[] => [
  {
    kind: 'mutation',
    name: 'import_file',
    once: true,
    reads: filesCollection,
    type: (_caller, drawing) => (drawing.find(filesCollection, 'read') === null ? GraphQLID : drawing.object(filesCollection)),
    args: { url: { type: new GraphQLNonNull(GraphQLString) }, data: { type: jsonScalar } },
    isOffered: (_caller, drawing) => drawing.find(filesCollection, 'create') !== null,
    run: (call) => importFrom(sources, call),
  },
];

async function importFrom({ files, writer }: FileSources, { caller, work, args }: OperationCall): Promise<unknown> {
  lookUpCollection(caller.view, filesCollection, 'create');
  const received = await importFile(files, { url: args['url'], ...(args['data'] === undefined ? {} : { data: args['data'] }) });
  const { author, payloads } = await prepareWrite(files, caller, work, received);
  try {
    const [key] = await writer.transaction(author, (inside) => writer.create(inside, filesCollection, payloads));
    return key;
  } finally {
    await discardUnkept(files, author);
  }
}

async function prepareWrite(files: FilesContext, caller: Caller, work: Work, received: ReceivedFile) {
  try {
    return { payloads: await withDefaults(files, work, [received]), author: await expectWrite(files, caller, [received.content]) };
  } catch (error) {
    await discardContents(files, [received.content]);
    throw error;
  }
}
