// A file as Studio shows it: what is read of it, the addresses of its content, and its size in words.

import { serviceUrl } from '../api/service-url.js';

export interface FileItem {
  readonly id: string;
  readonly title: string | null;
  readonly filename_download: string;
  readonly type: string | null;
  /** A text: files may be larger than numbers are exact. */
  readonly filesize: string | number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly folder: string | null;
  readonly focal_point_x: number | null;
  readonly focal_point_y: number | null;
  /** Undefined for those who may not read it. */
  readonly modified_on?: string | null;
}

export const fileFields = [
  ...['id', 'title', 'filename_download', 'type', 'filesize', 'width', 'height', 'folder'],
  ...['focal_point_x', 'focal_point_y', 'modified_on'],
] as const;

export const titleOfFile = ({ title, filename_download: name }: Pick<FileItem, 'title' | 'filename_download'>): string => title || name;

/** The types that the service makes pictures of. */
const pictures = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/tiff', 'image/gif']);

export const isPicture = ({ type }: Pick<FileItem, 'type'>): boolean => pictures.has(type ?? '');

export type Transformation = Readonly<Record<string, string | number | undefined>>;

/** The content; with a transformation, a picture made from it. The time of the last change keeps a replaced picture out of the cache. */
export function assetUrl({ id, modified_on: changed }: Pick<FileItem, 'id' | 'modified_on'>, transformation: Transformation = {}): string {
  const url = serviceUrl(`/assets/${encodeURIComponent(id)}`);
  for (const [name, value] of Object.entries(transformation))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  const version = Date.parse(changed ?? '');
  if (!Number.isNaN(version)) url.searchParams.set('v', String(version));
  return url.href;
}

/** `PNG`, `PDF`: the label on the tile of a file that is not a picture. */
export function shortType({ type, filename_download: name }: Pick<FileItem, 'type' | 'filename_download'>): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return (extension ?? type?.split('/').pop() ?? '').toUpperCase().slice(0, 5);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function formatBytes(bytes: string | number | null, language: string): string {
  if (bytes === null) return '';
  let size = Number(bytes);
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const options = {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    // The short form of bytes has no plural.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0,
  };
  return new Intl.NumberFormat(language, options as Intl.NumberFormatOptions).format(size);
}
