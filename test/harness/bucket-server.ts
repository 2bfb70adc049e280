// An S3 bucket in memory: objects, ranges, multipart uploads, paged lists. It accepts one access key, and tests can inspect unfinished
// uploads.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultPoint, makeFaultPoint } from './fault-point.js';

export interface BucketServer {
  /** For STORAGE_URL. */
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Multipart uploads that are neither completed nor aborted. */
  readonly unfinished: ReadonlyMap<string, ReadonlyMap<number, Buffer>>;
  /** The number of parts of each object, by key. */
  readonly parts: ReadonlyMap<string, number>;
  /** Counts incoming requests; one that strikes is answered with a server error. */
  readonly faults: FaultPoint;
  stop(): void;
}

const bucket = 'tain-test-bucket';
const accessKey = 'tain-test-key';
/** Small, so that a few objects fill several pages. */
const pageSize = 2;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

export async function startBucket(prefix = 'some/where'): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const unfinished = new Map<string, Map<number, Buffer>>();
  const parts = new Map<string, number>();
  const faults = makeFaultPoint();
  const server = createServer((request, response) => {
    if (faults.strikes()) {
      response.writeHead(500, { connection: 'close' }).end();
      return;
    }
    answer(request, response).catch((error: unknown) => {
      const { status, code } = error instanceof Refusal ? error : new Refusal(500, 'InternalError');
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml('Error', `<Code>${code}</Code>`));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    if (!request.headers.authorization?.includes(`Credential=${accessKey}/`)) throw new Refusal(403, 'InvalidAccessKeyId');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const [, name, ...rest] = pathname.split('/');
    if (name !== bucket) throw new Refusal(404, 'NoSuchBucket');
    const key = decodeURIComponent(rest.join('/'));
    const upload = searchParams.get('uploadId');
    if (upload !== null) return answerUpload(request.method, response, key, upload, Number(searchParams.get('partNumber')), body);
    switch (request.method) {
      case 'PUT':
        return put(response, key, body);
      case 'GET':
        return searchParams.has('list-type')
          ? list(response, searchParams.get('prefix') ?? '', searchParams.get('start-after') ?? '')
          : get(request, response, key);
      case 'HEAD':
        response.writeHead(200, { 'content-length': find(key).length }).end();
        return;
      case 'DELETE':
        objects.delete(key);
        response.writeHead(204).end();
        return;
      case 'POST':
        if (searchParams.has('uploads')) return begin(response, key);
        for (const [, doomed = ''] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(doomed);
        response.end(xml('DeleteResult', ''));
        return;
      default:
        throw new Refusal(405, 'MethodNotAllowed');
    }
  }

  const find = (key: string): Buffer => {
    const object = objects.get(key);
    if (object === undefined) throw new Refusal(404, 'NoSuchKey');
    return object;
  };

  function put(response: ServerResponse, key: string, body: Buffer): void {
    objects.set(key, body);
    response.writeHead(200, { etag: tagOf(body) }).end();
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string): void {
    const whole = find(key);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = first === undefined ? whole : whole.subarray(Number(first), Number(last) + 1);
    response.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length }).end(part);
  }

  function list(response: ServerResponse, under: string, after: string): void {
    const keys = [...objects.keys()].filter((key) => key.startsWith(under) && key > after).sort();
    const facts = (key: string): string => `<Size>${find(key).length}</Size><LastModified>${new Date().toISOString()}</LastModified>`;
    const contents = keys.slice(0, pageSize).map((key) => `<Contents><Key>${key}</Key>${facts(key)}</Contents>`);
    response.end(xml('ListBucketResult', `<IsTruncated>${keys.length > pageSize}</IsTruncated>${contents.join('')}`));
  }

  function begin(response: ServerResponse, key: string): void {
    const id = `upload-${unfinished.size}-${key.length}`;
    unfinished.set(id, new Map());
    response.end(xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`));
  }

  function answerUpload(method: string | undefined, response: ServerResponse, key: string, id: string, number: number, body: Buffer): void {
    const upload = unfinished.get(id);
    if (upload === undefined) throw new Refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.set(number, body);
      response.writeHead(200, { etag: tagOf(body) }).end();
      return;
    }
    unfinished.delete(id);
    if (method === 'DELETE') {
      response.writeHead(204).end();
      return;
    }
    const chosen = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, part]) => upload.get(Number(part)));
    objects.set(key, Buffer.concat(chosen.filter((part) => part !== undefined)));
    parts.set(key, chosen.length);
    response.end(xml('CompleteMultipartUploadResult', ''));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = encodeURIComponent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    url: `s3://${accessKey}:secret@${bucket}/${prefix}?endpoint=${endpoint}`,
    objects,
    unfinished,
    parts,
    faults,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

const xml = (name: string, content: string): string => `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
