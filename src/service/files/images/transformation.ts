// Parses the transformation of an image from the parameters of a request or from a preset in the settings, within limits.

import { invalidQuery, type ServiceError, serviceError } from '../../../core/errors/service-error.js';

export const fits = ['cover', 'contain', 'inside', 'outside'] as const;
export const formats = ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const;

export type ImageFormat = (typeof formats)[number];

export interface Transformation {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: (typeof fits)[number];
  /** null: the format of the original; auto: the best that the client accepts. */
  readonly format: ImageFormat | 'auto' | null;
  readonly quality: number;
  readonly withoutEnlargement: boolean;
}

export type Parameters = Readonly<Record<string, unknown>>;

export interface AssetSettings {
  /** The setting `storage_asset_transform`: all, presets or none. */
  readonly allowed: unknown;
  readonly presets: unknown;
}

const names = ['width', 'height', 'fit', 'format', 'quality', 'withoutEnlargement', 'key', 'transforms'] as const;
export const maxSide = 6000;
const defaultQuality = 80;

export const illegalTransformation = (reason: string): ServiceError =>
  serviceError('ILLEGAL_ASSET_TRANSFORMATION', `Illegal asset transformation. ${reason}`, { reason });

export const asksForTransformation = (parameters: Parameters): boolean =>
  names.some((name) => parameters[name] !== undefined && parameters[name] !== '');

export function readTransformation(parameters: Parameters, settings: AssetSettings): Transformation {
  const { key } = parameters;
  if (settings.allowed === 'none') throw invalidQuery('Transformations are turned off for this project.');
  if (key !== undefined) {
    const others = names.filter((name) => name !== 'key' && parameters[name] !== undefined);
    if (others.length > 0) throw invalidQuery(`"${others[0]}" cannot be used beside "key".`);
    return readParameters(findPreset(settings.presets, key));
  }
  if (settings.allowed === 'presets') throw invalidQuery('Only presets can be asked for, by "key".');
  return readParameters(parameters);
}

function findPreset(presets: unknown, key: unknown): Parameters {
  const list: readonly unknown[] = Array.isArray(presets) ? presets : [];
  const found = list.find(
    (preset): preset is Parameters => typeof preset === 'object' && preset !== null && 'key' in preset && preset.key === key,
  );
  if (typeof key !== 'string' || found === undefined) throw invalidQuery(`There is no preset "${String(key).slice(0, 40)}".`);
  return found;
}

function readParameters(parameters: Parameters): Transformation {
  const { transforms } = parameters;
  if (transforms !== undefined && transforms !== null && !(Array.isArray(transforms) && transforms.length === 0))
    throw illegalTransformation('"transforms" is not supported.');
  return {
    width: readNumber(parameters, 'width', maxSide),
    height: readNumber(parameters, 'height', maxSide),
    fit: readChoice(parameters, 'fit', fits) ?? 'cover',
    format: readFormat(parameters),
    quality: readNumber(parameters, 'quality', 100) ?? defaultQuality,
    withoutEnlargement: isTrue(parameters['withoutEnlargement']),
  };
}

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1' || value === '';

function readNumber(parameters: Parameters, name: string, most: number): number | null {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return null;
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) throw invalidQuery(`"${name}" has to be a whole number.`);
  if (number > most) throw illegalTransformation(`"${name}" is at most ${most}.`);
  return number;
}

function readChoice<T extends string>(parameters: Parameters, name: string, choices: readonly T[]): T | null {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return null;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw invalidQuery(`"${name}" has to be one of ${choices.join(', ')}.`);
  return found;
}

function readFormat(parameters: Parameters): Transformation['format'] {
  if (parameters['format'] === 'auto') return 'auto';
  const format = readChoice(parameters, 'format', [...formats, 'jpg']);
  return format === 'jpg' ? 'jpeg' : format;
}

/** Equal for equal transformations, however the request spells them; part of the name of the variant. */
export const describeTransformation = ({ width, height, fit, format, quality, withoutEnlargement }: Transformation): string =>
  JSON.stringify([width, height, fit, format, quality, withoutEnlargement]);
