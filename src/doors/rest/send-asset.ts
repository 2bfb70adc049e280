// Sends the content of a file: whole, in ranges, or not at all to a client that has it. Every content is served with a sandboxing policy and
// without content sniffing, and only plain images are shown inline.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset } from '../../service/files/transfer/read-asset.js';
import { safeRasterTypes } from '../../service/files/transfer/receive-content.js';
import { matchesEtag } from '../http/answer/send.js';
import { queryParameters } from '../http/request/url-query.js';
import { contentDisposition, parseRange } from './asset-headers.js';

export async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): Promise<FastifyReply> {
  addHeaders(reply, asset, asksForFile(request));
  if (matchesEtag(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  const range = parseRange(request.headers.range, request.headers['if-range']?.toString(), asset);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${asset.size}`).send();
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${asset.size}`);
  const length = range === null ? asset.size : range.last - range.first + 1;
  reply.header('content-length', length);
  // HEAD opens no file.
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await asset.read(range ?? undefined));
}

function asksForFile(request: FastifyRequest): boolean {
  const { download } = queryParameters(request);
  return download !== undefined && download !== 'false';
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
