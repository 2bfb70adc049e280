// The logger's options: no tokens, passwords or bodies reach the log. Errors are logged with message and stack, without the values that
// drivers attach to them.

import type { FastifyServerOptions } from 'fastify';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const secretParameter = /([?&](?:access_token|refresh_token|token|password|otp|key|secret)=)[^&#]*/gi;

export const redactUrl = (url: string): string => (url.includes('?') ? url.replace(secretParameter, '$1[redacted]') : url);

const secretNames = ['authorization', 'cookie', 'password', 'token', 'access_token', 'refresh_token', 'otp', 'secret', 'tfa_secret'];

export const loggerOptions = (level: LogLevel): NonNullable<FastifyServerOptions['logger']> => ({
  level,
  redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  serializers: { err: describeError, url: redactUrl },
});

type DescribedError = Record<'type' | 'message' | 'stack', string>;

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return { type: error.name, message: error.message, stack: `${error.stack ?? ''}${cause}` };
}
