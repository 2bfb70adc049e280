// Transformed images: kept in the storage of their original, so that each is made once, by one request however many ask for it.

import { forbidden } from '../../core/errors/service-error.js';
import { variantName } from './content-name.js';
import type { FilesContext } from './files-context.js';
import { maxImageBytes } from './load-sharp.js';
import { readAll } from './read-all.js';
import type { Storage } from './storage.js';
import { transformImage } from './transform-image.js';
import { describeTransformation, type ImageFormat, illegalTransformation, type Transformation } from './transformation.js';

export interface Original {
  readonly storage: Storage;
  /** Its name in the storage. */
  readonly content: string;
  readonly size: number;
  readonly type: string;
}

const typesOfFormats: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
};

export function chooseFormat({ format }: Transformation, type: string, accept: string): ImageFormat {
  if (format === 'auto') return accept.includes('image/avif') ? 'avif' : accept.includes('image/webp') ? 'webp' : sameFormat(type);
  return format ?? sameFormat(type);
}

/** What cannot be written as it was (GIF) becomes PNG. */
const sameFormat = (type: string): ImageFormat =>
  (Object.keys(typesOfFormats) as ImageFormat[]).find((format) => typesOfFormats[format] === type) ?? 'png';

export const withEnding = (filename: string, format: ImageFormat): string =>
  `${filename.replace(/\.[^.]*$/, '')}.${format === 'jpeg' ? 'jpg' : format}`;

const inTheMaking = new Map<string, Promise<number>>();

export async function findVariant(context: FilesContext, original: Original, wish: Transformation, format: ImageFormat): Promise<Original> {
  const { storage } = original;
  const content = variantName(original.content, describeTransformation({ ...wish, format }), format);
  const kept = await storage.size(content);
  const size = kept ?? (await makeOnce(`${storage.name} ${content}`, () => makeVariant(context, original, wish, format, content)));
  return { storage, content, size, type: typesOfFormats[format] };
}

/** Who asks for what is being made already waits for it. */
async function makeOnce(name: string, make: () => Promise<number>): Promise<number> {
  const present = inTheMaking.get(name);
  if (present !== undefined) return present;
  const making = make().finally(() => inTheMaking.delete(name));
  inTheMaking.set(name, making);
  return making;
}

async function makeVariant(
  { imageTurns }: FilesContext,
  { storage, content, size }: Original,
  wish: Transformation,
  format: ImageFormat,
  name: string,
): Promise<number> {
  if (size > maxImageBytes) throw illegalTransformation(`The image is larger than ${maxImageBytes} bytes.`);
  return imageTurns.run(async () => {
    const stream = await storage.read(content);
    if (stream === null) throw forbidden();
    const made = await transformImage(await readAll(stream), wish, format);
    await storage.write(name, oneChunk(made));
    return made.length;
  });
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
