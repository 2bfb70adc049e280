// The little of @aws-sdk/client-s3 that a storage needs. The package is an optional companion: it is loaded when a bucket is configured,
// and described here because it need not be installed.

import type { Readable } from 'node:stream';

type Input = Readonly<Record<string, unknown>>;

export interface S3Answer {
  readonly Body?: Readable;
  readonly ContentLength?: number;
  readonly ETag?: string;
  readonly UploadId?: string;
  readonly Contents?: readonly { readonly Key?: string }[];
  readonly IsTruncated?: boolean;
}

interface S3Client {
  send(command: unknown): Promise<S3Answer>;
}

type CommandName =
  | 'HeadObject'
  | 'GetObject'
  | 'DeleteObject'
  | 'DeleteObjects'
  | 'ListObjectsV2'
  | 'PutObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload';

type S3Package = { readonly S3Client: new (options: Input) => S3Client } & Readonly<
  Record<`${CommandName}Command`, new (input: Input) => unknown>
>;

/** Runs one command on the bucket. */
type SendToBucket = (name: CommandName, input: Input) => Promise<S3Answer>;

export interface Bucket {
  readonly prefix: string;
  readonly send: SendToBucket;
}

export async function openBucket(address: string): Promise<Bucket> {
  const url = new URL(address);
  const library = await loadPackage();
  const client = new library.S3Client(clientOptions(url));
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    prefix: prefix === '' ? '' : `${prefix}/`,
    send: (name, input) => client.send(new library[`${name}Command`]({ Bucket: url.hostname, ...input })),
  };
}

async function loadPackage(): Promise<S3Package> {
  const name: string = '@aws-sdk/client-s3';
  try {
    return (await import(name)) as S3Package;
  } catch (error) {
    throw new Error(`STORAGE_URL names a bucket; for that the package ${name} has to be installed beside Tain`, { cause: error });
  }
}

/** Without a key in the address the environment of the process is asked, as AWS does it. */
function clientOptions(url: URL): Input {
  const { searchParams } = url;
  const endpoint = searchParams.get('endpoint');
  return {
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(url.username === ''
      ? {}
      : { credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) } }),
  };
}
