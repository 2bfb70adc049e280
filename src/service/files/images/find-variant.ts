// Finds or makes a transformed image (a variant). Variants are stored beside their original, so that each is made once, even if several
// requests ask for it at the same time.

import { forbidden, ServiceError } from '../../../core/errors/service-error.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { variantName } from '../storage/content-name.js';
import { readAll, type Storage } from '../storage/storage.js';
import { maxImageBytes, maxResultPixels, resultPixels } from './image-jobs.js';
import type { ImagePool } from './image-pool.js';
import { clientDisconnected } from './image-processes.js';
import { describeTransformation, type ImageFormat, illegalTransformation, type Transformation } from './transformation.js';
import { trimVariants } from './variants.js';

export interface VariantDeps {
  readonly images: ImagePool;
  /** Receives the error of a variant that could not be kept or removed. */
  readonly report: (error: unknown) => void;
}

/** What can be answered: a content of the storage. */
export interface Original {
  readonly storage: Storage;
  /** The name of the content in the storage. */
  readonly content: string;
  readonly size: number;
  readonly type: string;
  /** Measured when the content was stored; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
}

/** `bytes`: the content itself, where the storage could not take it; null: it is stored. */
interface Variant extends Original {
  readonly bytes: Uint8Array | null;
}

const typesOfFormats: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
};

/**
 * The format of the result. For `auto`: AVIF (if the result is small enough) or WebP if the client's Accept header names it, else the
 * first of JPEG, PNG and TIFF that the client accepts.
 */
export function chooseFormat(wanted: Transformation, original: Original, accept: string): ImageFormat {
  if (wanted.format !== 'auto') return wanted.format ?? sameFormat(original.type);
  const weights = readAccept(accept);
  const takes = (candidate: ImageFormat, ...ranges: readonly string[]): boolean => {
    const range = [typesOfFormats[candidate], ...ranges].find((name) => weights.has(name));
    return range !== undefined && weights.get(range) !== 0;
  };
  const wildcards = ['image/*', '*/*'];
  if (weights.size === 0) return 'jpeg';
  const named = (['avif', 'webp'] as const).find(
    (candidate) => takes(candidate) && (candidate !== 'avif' || isSmallEnough(wanted, original)),
  );
  return named ?? (['jpeg', 'png', 'tiff'] as const).find((candidate) => takes(candidate, ...wildcards)) ?? 'jpeg';
}

/** The media ranges of an Accept header with their weights. */
function readAccept(accept: string): ReadonlyMap<string, number> {
  const ranges = accept.split(',', 50).map((part): readonly [string, number] => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='));
    return [range, weight === undefined ? 1 : Number(weight.slice(2))];
  });
  return new Map(ranges.filter(([range]) => range !== ''));
}

/** Whether the result is certain to stay below the pixel limit of AVIF. */
const isSmallEnough = (wanted: Transformation, { width, height }: Original): boolean =>
  width !== null && height !== null && resultPixels(wanted, { width, height }) <= maxResultPixels('avif');

/** A format that cannot be written, such as GIF, becomes PNG. */
const sameFormat = (type: string): ImageFormat =>
  (Object.keys(typesOfFormats) as ImageFormat[]).find((format) => typesOfFormats[format] === type) ?? 'png';

export const withEnding = (filename: string, format: ImageFormat): string =>
  `${filename.replace(/\.[^.]*$/, '')}.${format === 'jpeg' ? 'jpg' : format}`;

export async function findVariant(
  deps: VariantDeps,
  original: Original,
  wanted: Transformation,
  format: ImageFormat,
  signal: StopSignal,
): Promise<Variant> {
  const { storage } = original;
  const content = variantName(original.content, describeTransformation({ ...wanted, format }), format);
  const kept = await storage.size(content);
  const make = (stop: StopSignal) => makeVariant(deps, original, wanted, format, content, stop);
  const { size, bytes } = kept === null ? await makeOnce(storage, content, signal, make) : { size: kept, bytes: null };
  return { storage, content, size, bytes, type: typesOfFormats[format], width: null, height: null };
}

type Made = Pick<Variant, 'size' | 'bytes'>;

interface Making {
  readonly made: Promise<Made>;
  readonly stop: AbortController;
  waiting: number;
}

/** By storage, since storages of several services in one process can have the same name. */
const inProgress = new WeakMap<Storage, Map<string, Making>>();

function makingIn(storage: Storage): Map<string, Making> {
  const making = inProgress.get(storage) ?? new Map<string, Making>();
  inProgress.set(storage, making);
  return making;
}

/** Joins the work on a variant that is being made already. The work is aborted when the last waiting client disconnects. */
function makeOnce(storage: Storage, name: string, signal: StopSignal, make: (stop: StopSignal) => Promise<Made>): Promise<Made> {
  const known = makingIn(storage);
  const making = known.get(name) ?? startMaking(known, name, make);
  making.waiting += 1;
  return new Promise((resolve, reject) => {
    const onDisconnect = (): void => {
      making.waiting -= 1;
      if (making.waiting === 0) {
        forget(known, name, making);
        making.stop.abort();
      }
      reject(clientDisconnected());
    };
    signal.addEventListener('abort', onDisconnect, { once: true });
    if (signal.aborted) onDisconnect();
    making.made.then(resolve, reject).finally(() => signal.removeEventListener('abort', onDisconnect));
  });
}

function startMaking(known: Map<string, Making>, name: string, make: (stop: StopSignal) => Promise<Made>): Making {
  const stop = new AbortController();
  const making: Making = { made: make(stop.signal).finally(() => forget(known, name, making)), stop, waiting: 0 };
  known.set(name, making);
  return making;
}

function forget(known: Map<string, Making>, name: string, making: Making): void {
  if (known.get(name) === making) known.delete(name);
}

async function makeVariant(
  { images, report }: VariantDeps,
  { storage, content, size, width, height }: Original,
  wanted: Transformation,
  format: ImageFormat,
  name: string,
  stop: StopSignal,
): Promise<Made> {
  if (size > maxImageBytes) throw illegalTransformation(`The image is larger than ${maxImageBytes} bytes.`);
  if (width !== null && height !== null && resultPixels(wanted, { width, height }) > maxResultPixels(format))
    throw illegalTransformation(`The result would have more than ${maxResultPixels(format)} pixels, the most for ${format}.`);
  const prepare = async () => {
    const stream = await storage.read(content);
    if (stream === null) throw forbidden();
    return { kind: 'transform', bytes: await readAll(stream), wanted, format } as const;
  };
  const result = await images.run({ prepare, slow: format === 'avif' }, stop);
  if (result.kind !== 'transformed') throw new Error('an image was asked for, and something else came');
  const { bytes } = result;
  try {
    await storage.write(name, oneChunk(bytes));
  } catch (error) {
    // A storage that is full or read-only does not keep the image from being answered.
    if (!(error instanceof ServiceError && error.status === 503)) throw error;
    report(error);
    return { size: bytes.length, bytes };
  }
  // The answer neither waits for the cleanup nor fails with it.
  void trimVariants(storage, content).catch(report);
  return { size: bytes.length, bytes: null };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
