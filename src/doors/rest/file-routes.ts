// Files: their items go by the routes of every collection. What comes as a form is stored first and becomes the payload of such a route;
// /files/import does the same with what it fetches.

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, findCollection } from '../../core/access/view.js';
import { forbiddenCollection, invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { type FilesContext, filesCollection } from '../../service/files/files-context.js';
import { importFile } from '../../service/files/import-file.js';
import { discardContents, discardUnkept, expectWrite } from '../../service/files/keep-contents.js';
import { type ReceivedFile, receiveUpload, withDefaults } from '../../service/files/receive-upload.js';
import type { Idempotency } from '../../service/utilities/idempotency.js';
import { answerAgain } from './answer-once.js';
import { readFormParts } from './form-parts.js';
import type { WriteDoor } from './write-door.js';
import { addWriteRoutes, createItems } from './write-routes.js';

export interface FilesDoor extends WriteDoor {
  readonly files: FilesContext;
}

const maxFiles = 100;
const maxTextBytes = 1024 * 1024;

export async function addFileRoutes(app: FastifyInstance, door: FilesDoor): Promise<void> {
  await app.register(async (scope) => {
    // One byte more than allowed is let through, for our own refusal to see it.
    const fileSize = door.files.options.uploadLimit + 1;
    await scope.register(multipart, { limits: { fileSize, files: maxFiles, fieldSize: maxTextBytes }, throwFileSizeLimit: false });
    const writers = new WeakMap<FastifyRequest, Caller>();
    scope.addHook('preHandler', (request) => takeForm(door, request, writers));
    // What failed is told by the framework; tried again, it needs the contents until then.
    scope.addHook('onSend', async (request) => {
      const writer = writers.get(request);
      if (writer !== undefined) await discardUnkept(door.files, writer);
    });
    const writing = { ...door, idempotency: discarding(door) };
    addWriteRoutes(scope, writing, '/files', () => filesCollection);
    scope.post('/files/import', async (request, reply) => {
      refuseWithout(request, 'create');
      const asked = request.body;
      const known = await answerAgain(door, request, reply);
      if (known !== null) return known;
      await becomePayload(door, request, 'create', [await importFile(door.files, request.body)], writers);
      return createItems(writing, request, reply, filesCollection, asked);
    });
  });
}

/** What a write has not kept, because its first answer is given again, is discarded before that is sent. */
const discarding = ({ idempotency, files }: FilesDoor): Idempotency => ({
  ...idempotency,
  async run(caller, ...rest) {
    const answered = await idempotency.run(caller, ...rest);
    await discardUnkept(files, caller);
    return answered;
  },
});

type FileAction = 'create' | 'update';

const takers: ReadonlyMap<string, FileAction> = new Map([
  ['POST /files', 'create'],
  ['PATCH /files/:key', 'update'],
]);

async function takeForm(door: FilesDoor, request: FastifyRequest, writers: WeakMap<FastifyRequest, Caller>): Promise<void> {
  if (!request.isMultipart()) return;
  const action = takers.get(`${request.method} ${request.routeOptions.url}`);
  if (action === undefined)
    throw serviceError('UNSUPPORTED_MEDIA_TYPE', 'This takes JSON.', { mediaType: 'multipart/form-data', where: 'Content-Type header' });
  refuseWithout(request, action);
  const received = await receiveUpload(door.files, request.context.caller, readFormParts(request));
  await becomePayload(door, request, action, received, writers);
}

/** Before a byte is taken. */
function refuseWithout(request: FastifyRequest, action: FileAction): void {
  if (findCollection(request.context.caller.view, filesCollection, action) === null) throw forbiddenCollection(filesCollection);
}

async function becomePayload(
  door: FilesDoor,
  request: FastifyRequest,
  action: FileAction,
  received: readonly ReceivedFile[],
  writers: WeakMap<FastifyRequest, Caller>,
): Promise<void> {
  const contents = received.map(({ content }) => content);
  try {
    if (action === 'update' && received.length > 1) throw invalidPayload('A file has one content, and the form holds several.');
    const payloads =
      action === 'create' ? await withDefaults(door.files, door.work(request), received) : received.map(({ payload }) => payload);
    const writer = await expectWrite(door.files, request.context.caller, contents);
    writers.set(request, writer);
    request.context.caller = writer;
    request.body = payloads.length === 1 ? payloads[0] : payloads;
  } catch (error) {
    await discardContents(door.files, contents);
    throw error;
  }
}
