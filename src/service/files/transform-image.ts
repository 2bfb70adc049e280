// One image, transformed. What it is and how large it would become is asked of its header; only then is it decoded.

import type { Metadata } from 'sharp';
import { loadSharp, maxPixels } from './load-sharp.js';
import { type ImageFormat, illegalTransformation, type Transformation } from './transformation.js';

const timeoutSeconds = 20;

/** `format` is decided by now. */
export async function transformImage(bytes: Buffer, wish: Transformation, format: ImageFormat): Promise<Buffer> {
  const sharp = await loadSharp();
  checkHeader(await readHeader(() => sharp(bytes, { limitInputPixels: maxPixels }).metadata()));
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'truncated' })
      .timeout({ seconds: timeoutSeconds })
      .rotate()
      .resize(wish.width, wish.height, { fit: wish.fit, withoutEnlargement: wish.withoutEnlargement })
      .toFormat(format, { quality: wish.quality })
      .toBuffer();
  } catch {
    throw illegalTransformation('The image cannot be read.');
  }
}

async function readHeader(read: () => Promise<Metadata>): Promise<Metadata> {
  try {
    return await read();
  } catch {
    throw illegalTransformation('The file is no image that can be transformed, or has too many pixels.');
  }
}

function checkHeader({ width, pageHeight, height, pages = 1 }: Metadata): void {
  const pixels = width * (pageHeight ?? height) * pages;
  if (pixels > maxPixels) throw illegalTransformation(`The image has more than ${maxPixels} pixels.`);
}
