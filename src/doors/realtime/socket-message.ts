// The messages of the WebSocket at /websocket, as clients send them and as they are answered. Every answer to a message carries its `uid`.

import type { ServiceError } from '../../core/errors/service-error.js';
import { isNestedTooDeeply, maxJsonNesting } from '../../core/util/json-nesting.js';
import { isPlainObject, type PlainObject } from '../../core/util/plain-object.js';

/** As the client sent it. */
export type Uid = string | number | null;

/** Error codes of the WebSocket protocol, in addition to those of docs/errors.md. */
type MessageCode = 'AUTH_FAILED' | 'AUTH_TIMEOUT' | 'INVALID_COLLECTION';

export class MessageError extends Error {
  readonly code: MessageCode | ServiceError['code'];
  /** The `uid` of the refused message, if it could be read. */
  readonly uid: Uid;

  constructor(code: MessageError['code'], message: string, uid: Uid = null) {
    super(message);
    this.code = code;
    this.uid = uid;
  }
}

export interface Message {
  readonly type: string;
  readonly uid: Uid;
  readonly body: PlainObject;
}

/** An error for anything that is no message. */
export function readMessage(text: string): Message | MessageError {
  if (isNestedTooDeeply(text))
    return new MessageError('INVALID_PAYLOAD', `Validation error: a message has at most ${maxJsonNesting} levels.`);
  const body = parse(text);
  if (body === undefined) return new MessageError('INVALID_PAYLOAD', 'Unable to parse the incoming message.');
  const uid = isPlainObject(body) ? (body.uid ?? null) : null;
  if (uid !== null && typeof uid !== 'string' && !isExact(uid))
    return new MessageError('INVALID_PAYLOAD', 'Validation error: "uid" has to be a text, or a number of at most 15 digits.');
  if (typeof uid === 'string' && uid.length > maxUidLength)
    return new MessageError('INVALID_PAYLOAD', `Validation error: "uid" may have at most ${maxUidLength} characters.`, cut(uid));
  if (!isPlainObject(body) || typeof body.type !== 'string')
    return new MessageError('INVALID_PAYLOAD', 'Validation error: a message is an object with a "type".', uid);
  return { type: body.type, uid, body };
}

const maxUidLength = 255;

/** Whether the number is answered as it was sent: a longer one loses digits. */
const isExact = (uid: unknown): uid is number => typeof uid === 'number' && Math.abs(uid) < 1e15;

/** Leaves no half of a surrogate pair at the end. */
const cut = (uid: string): string => uid.slice(0, maxUidLength).replace(/[\ud800-\udbff]$/, '');

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const withUid = (uid: Uid): { readonly uid?: string | number } => (uid === null ? {} : { uid });

export const errorMessage = (type: string, { code, message }: MessageError | ServiceError, uid: Uid): unknown => ({
  type,
  status: 'error',
  error: { code, message },
  ...withUid(uid),
});

export interface FrameFacts {
  readonly event: string;
  /** JSON text; null: no data. */
  readonly data: string | null;
  readonly meta: string | null;
  readonly uid: Uid;
  readonly collection: string;
  readonly cursor: string | null;
  /** Whether the data replaces everything the client has. */
  readonly isReset?: boolean;
}

/** A message about a subscription. `data` and `meta` come as JSON text and are passed through. */
export function subscriptionText({ event, data, meta, uid, collection, cursor, isReset = false }: FrameFacts): string {
  let text = `{"type":"subscription","event":"${event}"`;
  if (data !== null) text += `,"data":${data}`;
  if (meta !== null) text += `,"meta":${meta}`;
  if (uid !== null) text += `,"uid":${JSON.stringify(uid)}`;
  text += `,"collection":${JSON.stringify(collection)}`;
  if (cursor !== null) text += `,"cursor":"${cursor}"`;
  if (isReset) text += ',"reset":true';
  return `${text}}`;
}
