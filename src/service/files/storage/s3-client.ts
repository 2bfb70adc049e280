// Opens a bucket by its URL. @aws-sdk/client-s3 is an optional dependency, loaded only if a bucket is configured.

import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import { serviceError } from '../../../core/errors/service-error.js';

export interface Bucket {
  readonly client: S3;
  readonly name: string;
  /** The prefix of every key. */
  readonly prefix: string;
}

export async function openBucket(address: string): Promise<Bucket> {
  const url = new URL(address);
  const { S3 } = await loadPackage();
  const client = new S3(clientOptions(url));
  client.middlewareStack.add(
    (next) => (call) =>
      next(call).catch((error: unknown) => {
        throw explain(error);
      }),
    { step: 'initialize', priority: 'high' },
  );
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return { client, name: url.hostname, prefix: prefix === '' ? '' : `${prefix}/` };
}

async function loadPackage(): Promise<typeof import('@aws-sdk/client-s3')> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    throw new Error('STORAGE_URL names a bucket; for that the package @aws-sdk/client-s3 has to be installed beside Tain', {
      cause: error,
    });
  }
}

/** Without credentials in the URL, the SDK looks for them in the environment of the process. */
function clientOptions({ searchParams, username, password }: URL): S3ClientConfig {
  const endpoint = searchParams.get('endpoint');
  return {
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, ...plainChecksums }),
    ...(username === ''
      ? {}
      : { credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) } }),
  };
}

/** AWS accepts checksums that the protocol does not require; other servers with the same protocol may not. */
const plainChecksums = { requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' } as const;

/** Keeps errors that a retry cannot cure, such as wrong credentials; the others become SERVICE_UNAVAILABLE. */
function explain(error: unknown): unknown {
  if (error instanceof Error && '$fault' in error && error.$fault === 'client') return error;
  return serviceError('SERVICE_UNAVAILABLE', 'The storage of files cannot answer right now.', { service: 'storage' }, error);
}
