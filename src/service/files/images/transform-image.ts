// Measures or transforms one image, inside an image process. The header tells the format and the size of the result; only an image within
// the limits is decoded.

import type sharp from 'sharp';
import type { Metadata } from 'sharp';
import { type Measures, maxResultPixels, resultPixels } from './image-jobs.js';
import type { ImageFormat, Transformation } from './transformation.js';

/** Its message is sent to the client. */
export class RefusedImage extends Error {}

/** The encoder's effort. The defaults take up to ten times as long for files a few per cent smaller. */
const effort: Readonly<Partial<Record<ImageFormat, number>>> = { avif: 1, webp: 2 };

export async function transformImage(bytes: Uint8Array, wanted: Transformation, format: ImageFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  const header = await readHeader(() => sharp(bytes, { limitInputPixels: maxPixels }).metadata());
  checkSize(header, wanted, format);
  const spent = effort[format];
  return sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'truncated' })
    .rotate()
    .resize(wanted.width, wanted.height, { fit: wanted.fit, withoutEnlargement: wanted.withoutEnlargement })
    .toFormat(format, { quality: wanted.quality, ...(spent === undefined ? {} : { effort: spent }) })
    .toBuffer();
}

/** Both are null if the bytes are no image. */
export async function measureBytes(bytes: Uint8Array): Promise<Measures> {
  const sharp = await loadSharp();
  try {
    return uprightSize(await sharp(bytes).metadata());
  } catch {
    return { width: null, height: null };
  }
}

/** EXIF orientations from 5 on are rotated by 90 degrees, which exchanges width and height. */
const uprightSize = ({ width, height, orientation = 1 }: Metadata): { readonly width: number; readonly height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

async function readHeader(read: () => Promise<Metadata>): Promise<Metadata> {
  try {
    return await read();
  } catch {
    throw new RefusedImage('The file is no image that can be transformed, or has too many pixels.');
  }
}

function checkSize(header: Metadata, wanted: Transformation, format: ImageFormat): void {
  const { width, pageHeight, height, pages = 1 } = header;
  if (width * (pageHeight ?? height) * pages > maxPixels) throw new RefusedImage(`The image has more than ${maxPixels} pixels.`);
  const most = maxResultPixels(format);
  if (resultPixels(wanted, uprightSize({ ...header, height: pageHeight ?? height })) > most)
    throw new RefusedImage(`The result would have more than ${most} pixels, the most for ${format}.`);
}

type Sharp = typeof sharp;

/** The only decoders that stay enabled: formats that hold nothing but pixels and cannot refer to other files. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];

let loading: Promise<Sharp> | null = null;

function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}`) });
    return library;
  });
  return loading;
}

/** The most pixels of an image, all pages together; checked before decoding. */
const maxPixels = 50_000_000;
