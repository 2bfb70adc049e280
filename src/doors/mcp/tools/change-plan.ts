// The hash by which a change is confirmed: it names what was asked for, by whom, and how the items were when it was planned. It is signed, so that
// none exists without a plan; and short, because a language model has to repeat it.

import { randomBytes } from 'node:crypto';
import type { Accountability } from '../../../core/access/accountability.js';
import { invalidPayload, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { isSameSecret } from '../../../service/secrets/token.js';

const lifetimeMs = 3_600_000;
/** 96 bits: a guess would have to be made over HTTP, within the hour. */
const signatureLength = 24;

/** A keyed digest in hexadecimal digits. */
export type Sign = (text: string) => string;

/** What was asked for, as JSON text, and by whom. */
export interface AskedChange {
  readonly text: string;
  readonly accountability: Accountability;
}

/** Until when it holds, in seconds, and what tells two plans of the same change apart, so that each can be applied. */
const makeHead = (): string => `${Math.ceil((Date.now() + lifetimeMs) / 1000).toString(36)}-${randomBytes(4).toString('hex')}`;

const signatureOf = (sign: Sign, parts: readonly unknown[]): string => sign(JSON.stringify(parts)).slice(0, signatureLength);

const askedIn = (sign: Sign, head: string, { text, accountability: { user, accessKey } }: AskedChange): string =>
  signatureOf(sign, ['asked', head, user, accessKey?.id ?? null, text]);

/** `state`: the JSON text of the items before the change. */
const stateIn = (sign: Sign, head: string, state: string): string => signatureOf(sign, ['state', head, state]);

export function hashOf(sign: Sign, asked: AskedChange, state: string): string {
  const head = makeHead();
  return `${head}-${askedIn(sign, head, asked)}-${stateIn(sign, head, state)}`;
}

/** Refuses a hash that is not of this change and this caller, or that has ended. */
export function expectPlanned(sign: Sign, asked: AskedChange, hash: string): void {
  const { head, until, ofAsked } = partsOf(hash);
  if (!isSameSecret(ofAsked, askedIn(sign, head, asked))) throw notPlanned();
  if (until < Date.now()) throw invalidPayload('"hash" has ended, an hour after its plan: call once without it.');
}

/** Refuses a plan whose items are not as they were. */
export function expectUnmoved(sign: Sign, hash: string, state: string): void {
  const { head, ofState } = partsOf(hash);
  if (!isSameSecret(ofState, stateIn(sign, head, state))) throw movedOn();
}

const form = /^(?<head>(?<until>[0-9a-z]{1,10})-[0-9a-f]{8})-(?<ofAsked>[0-9a-f]{24})-(?<ofState>[0-9a-f]{24})$/;

function partsOf(hash: string) {
  const { head = '', until = '', ofAsked = '', ofState = '' } = form.exec(hash)?.groups ?? {};
  return { head, until: Number.parseInt(until, 36) * 1000, ofAsked, ofState };
}

const notPlanned = (): ServiceError => invalidPayload('"hash" is not that of a plan of exactly this change: call once without it.');

const movedOn = (): ServiceError =>
  serviceError(
    'PRECONDITION_FAILED',
    'The items are not as the plan showed them any more, and nothing was changed: call once without "hash" for a new plan.',
  );
