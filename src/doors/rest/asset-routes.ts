// /assets: the contents of files. Every content is served with a sandboxing policy and without content sniffing, and only plain images are
// shown inline.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../../core/errors/service-error.js';
import type { FilesDeps } from '../../service/files/transfer/files-deps.js';
import { type Asset, readAsset } from '../../service/files/transfer/read-asset.js';
import { safeRasterTypes } from '../../service/files/transfer/receive-content.js';
import { matchesEtag } from '../http/answer/send.js';
import { queryParameters } from '../http/request/url-query.js';
import { contentDisposition, parseRange } from './asset-headers.js';
import type { ReadRouteDeps } from './read-routes.js';

export interface AssetRouteDeps extends ReadRouteDeps {
  readonly files: FilesDeps;
}

interface AssetRoute {
  readonly Params: { readonly key: string };
}

export function addAssetRoutes(app: FastifyInstance, door: AssetRouteDeps): void {
  // The name after the key is for people and search engines.
  for (const url of ['/assets/:key', '/assets/:key/:name']) {
    app.route<AssetRoute>({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { params, headers } = request;
        const query = queryParameters(request);
        const question = {
          segment: encodeURIComponent(params.key),
          parameters: query,
          accept: headers.accept ?? '',
          signal: request.context.signal,
        };
        const asset = await readAsset(door.files, door.work(request), question);
        return sendAsset(request, reply, asset, query['download'] !== undefined && query['download'] !== 'false');
      },
    });
  }
}

async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, download: boolean): Promise<FastifyReply> {
  addHeaders(reply, asset, download);
  if (matchesEtag(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  const range = parseRange(request.headers.range, request.headers['if-range']?.toString(), asset);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${asset.size}`).send();
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${asset.size}`);
  const length = range === null ? asset.size : range.last - range.first + 1;
  reply.header('content-length', length);
  // HEAD opens no file.
  if (request.method === 'HEAD') return reply.send();
  const stream = await asset.storage.read(asset.content, range ?? undefined);
  if (stream === null) throw forbidden();
  return reply.send(stream);
}

function addHeaders(reply: FastifyReply, { type, etag, filename, negotiated }: Asset, download: boolean): void {
  const inPlace = !download && safeRasterTypes.has(type);
  reply.headers({
    'content-type': type,
    'content-disposition': contentDisposition(inPlace ? 'inline' : 'attachment', filename),
    'content-security-policy': "default-src 'none'; sandbox",
    // Pages of other origins may embed the images; the token decides who may see them.
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    etag,
  });
  if (negotiated) reply.header('vary', 'Accept');
}
