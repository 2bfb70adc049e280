// Operations that reach outside of the database or wait.

import { invalidPayload, serviceError } from '../../../core/errors/service-error.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { tryParseJson } from '../../../core/util/try-parse-json.js';
import { oneLine } from '../../mail/mailer.js';
import { escapeHtml, markdownToHtml } from '../../mail/simple-html.js';
import { requestGuarded, Unreachable } from '../../outbound/request-guarded.js';
import { StepFailure } from '../chain/failure.js';
import { type StepCall, type StepType, stepType } from './step.js';

const whileWriting = false;

export const outwardSteps: Readonly<Record<string, StepType>> = {
  request: stepType(sendRequest, { whileWriting }),
  mail: stepType(sendMail, { whileWriting }),
  sleep: stepType(sleep, { whileWriting }),
};

const limits = { timeoutMs: 30_000, maxBytes: 5_000_000, maxRedirects: 3 } as const;

async function sendRequest({ options, deps }: StepCall): Promise<unknown> {
  const url = parseUrl(options['url']);
  const method = String(options['method'] ?? 'GET').toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT' || method === 'TRACE') throw invalidPayload('"method" is no method of HTTP.');
  const body = bodyOf(options['body']);
  const typed = body === null ? {} : { 'content-type': 'application/json' };
  const outgoing = { url, method, body, headers: { ...typed, ...headersOf(options['headers']) } };
  const incoming = await requestGuarded(outgoing, deps.outgoing, limits).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
    throw serviceError('SERVICE_UNAVAILABLE', `"${url.origin}": ${error.message}`, { service: 'request' }, error.cause);
  });
  const { status, statusText, headers } = incoming;
  const answer = { status, statusText, headers, data: dataOf(incoming.body) };
  if (status < 400) return answer;
  throw new StepFailure(answer, serviceError('SERVICE_UNAVAILABLE', `"${url.origin}" answered ${status}.`, { service: 'request' }));
}

function parseUrl(url: unknown): URL {
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalidPayload('"url" is no address.');
  return new URL(url);
}

function bodyOf(body: unknown): string | null {
  if (body === undefined || body === null || body === '') return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** A list of `{ header, value }`, or an object. */
function headersOf(given: unknown): Readonly<Record<string, string>> {
  const pairs: (readonly [string, unknown])[] = Array.isArray(given)
    ? given.filter(isPlainObject).map(({ header, value }) => [String(header ?? ''), value])
    : Object.entries(isPlainObject(given) ? given : {});
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs.filter(([header]) => header !== '')) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || /[\r\n\0]/.test(String(value))) throw invalidPayload(`"${name}" is no header.`);
    headers[name.toLowerCase()] = String(value ?? '');
  }
  return headers;
}

const dataOf = (body: string): unknown => {
  const value = body === '' ? undefined : tryParseJson(body);
  return value === undefined ? body : value;
};

/** Handed over and not waited for: a mail server that is slow or away does not fail the flow. */
async function sendMail({ options, deps }: StepCall): Promise<null> {
  const to = addressesOf(options['to']);
  const subject = oneLine(String(options['subject'] ?? ''));
  const body = typeof options['body'] === 'string' ? options['body'] : '';
  if (to === '') {
    deps.report(new Error('a mail of a flow names no recipient'));
    return null;
  }
  const html = options['type'] === 'wysiwyg' ? body : options['type'] === 'markdown' ? markdownToHtml(body) : `<p>${escapeHtml(body)}</p>`;
  const copies = { cc: addressesOf(options['cc']), bcc: addressesOf(options['bcc']), replyTo: addressesOf(options['replyTo']) };
  const given = Object.fromEntries(Object.entries(copies).filter(([, value]) => value !== ''));
  void deps.mailer.send({ to, subject, text: body.replace(/<[^>]{0,1000}>/g, ''), html, ...given }).catch(deps.report);
  return null;
}

const maxAddresses = 100;

function addressesOf(value: unknown): string {
  const list = (Array.isArray(value) ? value : [value]).flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : []));
  const addresses = list.map((address) => oneLine(address).trim()).filter((address) => address !== '');
  if (addresses.length > maxAddresses) throw invalidPayload(`A mail may have ${maxAddresses} recipients.`);
  return addresses.join(', ');
}

/** The longest time that a run may stay in memory for. */
const maxSleepMs = 15 * 60_000;

async function sleep({ options }: StepCall): Promise<null> {
  const wanted = Number(options['milliseconds']);
  const milliseconds = Number.isFinite(wanted) && wanted > 0 ? wanted : 0;
  if (milliseconds > maxSleepMs) throw invalidPayload(`"milliseconds" may be ${maxSleepMs} at most.`);
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
  return null;
}
