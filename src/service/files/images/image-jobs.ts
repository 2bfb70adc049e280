// The messages between the service and an image process, and the limits for images and results.

import type { ImageFormat, Transformation } from './transformation.js';

export type ImageJob =
  | { readonly kind: 'measure'; readonly bytes: Uint8Array }
  /** `format` replaces the `format` of `wanted`, which may be `auto`. */
  | { readonly kind: 'transform'; readonly bytes: Uint8Array; readonly wanted: Transformation; readonly format: ImageFormat };

export type ImageResult =
  | ({ readonly kind: 'measured' } & Measures)
  | { readonly kind: 'transformed'; readonly bytes: Uint8Array }
  /** The image cannot be read, or the requested result is too large. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface Measures {
  readonly width: number | null;
  readonly height: number | null;
}

/** The bytes of an image that the service reads into memory. */
export const maxImageBytes = 64 * 1024 * 1024;

/** The most pixels of a result. AVIF takes about ten times the processor time per pixel of the other formats. */
export const maxResultPixels = (format: ImageFormat): number => (format === 'avif' ? 4_000_000 : 16_000_000);

/** The number of pixels of the result for an original of this size. */
export function resultPixels(
  { width, height, fit, withoutEnlargement }: Transformation,
  original: { width: number; height: number },
): number {
  const [across, down] = [(width ?? 0) / original.width, (height ?? 0) / original.height];
  if (across === 0 && down === 0) return original.width * original.height;
  const one = across === 0 || down === 0 ? Math.max(across, down) : fit === 'inside' ? Math.min(across, down) : Math.max(across, down);
  if (withoutEnlargement && one >= 1) return original.width * original.height;
  if (width !== null && height !== null && (fit === 'cover' || fit === 'contain')) return width * height;
  return Math.ceil(original.width * one) * Math.ceil(original.height * one);
}
