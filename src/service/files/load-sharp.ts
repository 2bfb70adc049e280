// The image library: loaded by the first image, with every decoder off that is not needed.

import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** Formats that hold pixels only: nothing here can refer to anything outside of itself. */
const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];

let loading: Promise<Sharp> | null = null;

export function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}`) });
    return library;
  });
  return loading;
}

/** Pixels an image may have, all its pages together; asked before any of them is decoded. */
export const maxPixels = 50_000_000;

/** Bytes of an image that are read into memory. */
export const maxImageBytes = 64 * 1024 * 1024;
