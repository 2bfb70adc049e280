// /files: JSON requests are handled like those of any collection; forms with contents are operations of the table.

import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { unsupportedMediaType } from '../../core/errors/service-error.js';
import { filesCollection } from '../../service/files/transfer/files-deps.js';
import { answerBy } from './operations/add-operation-routes.js';
import { fileRoutes } from './operations/files.js';
import type { RestDeps } from './operations/rest-route.js';
import { addWriteRoutes, type WriteRouteDeps } from './write-routes.js';

const maxFiles = 100;
const maxTextBytes = 1024 * 1024;

export async function addFileRoutes(app: FastifyInstance, door: WriteRouteDeps, deps: RestDeps): Promise<void> {
  const forms = new Map(
    fileRoutes
      .filter(({ form }) => form === 'or-json')
      .map((route) => [`${route.method} ${route.path.replace('{key}', ':key')}`, answerBy(deps, route)]),
  );
  await app.register(async (scope) => {
    // Lets one byte more than the limit pass, so that the service itself refuses the file.
    const limits = { fileSize: deps.uploadLimit + 1, files: maxFiles, fieldSize: maxTextBytes };
    await scope.register(multipart, { limits, throwFileSizeLimit: false });
    scope.addHook('preHandler', async (request, reply) => {
      if (!request.isMultipart()) return;
      const answer = forms.get(`${request.method} ${request.routeOptions.url}`);
      if (answer === undefined) throw unsupportedMediaType('multipart/form-data', 'Content-Type header');
      return answer(request, reply, deps.work(request));
    });
    addWriteRoutes(scope, door, '/files', () => filesCollection);
  });
}
