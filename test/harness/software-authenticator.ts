// An authenticator in software: makes passkeys and signs challenges as a browser and its authenticator do together; a test can have it forge parts.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a browser or an authenticator may say otherwise than it should. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The user did not unlock the authenticator. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly spoilSignature?: boolean;
  readonly attestation?: string;
}

export type Json = Readonly<Record<string, unknown>>;

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  readonly #key: KeyObject;
  readonly #cose: Buffer;
  readonly #origin: string;
  #user = '';

  constructor(origin: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#origin = origin;
    const pairs: readonly (readonly [number, Encoded])[] = [
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ];
    this.#cose = encode(new Map<number, Encoded>(pairs));
  }

  create(options: CreationOptions, lies: Lies = {}): Json {
    this.#user = options.user.id;
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose]);
    const authData = this.#authenticatorData(options.rp.id, 0x40, attested, lies);
    const attestation = new Map<string, Encoded>([
      ['fmt', lies.attestation ?? 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal', 'telepathy'],
    });
  }

  get(options: RequestOptions, lies: Lies = {}): Json {
    this.counter += 1;
    const authData = this.#authenticatorData(options.rpId, 0, Buffer.alloc(0), lies);
    const clientData = this.#clientData('webauthn.get', options.challenge, lies);
    const signed = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#key);
    if (lies.spoilSignature === true) signed[signed.length - 1] = (signed.at(-1) ?? 0) ^ 1;
    const userHandle = lies.userHandle === undefined ? this.#user : lies.userHandle;
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signed.toString('base64url'),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  #credential(response: Json): Json {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = { type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? this.#origin };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: lies.crossOrigin ?? false }));
  }

  #authenticatorData(rpId: string, flags: number, attested: Buffer, lies: Lies): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter);
    const present = 0x01 | (lies.unverified === true ? 0 : 0x04);
    return Buffer.concat([sha256(Buffer.from(lies.rpId ?? rpId)), Buffer.from([flags | present]), counter, attested]);
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

type Encoded = number | string | Buffer | Map<number | string, Encoded>;

/** As much of CBOR as passkeys need. */
function encode(value: Encoded): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [encode(key), encode(member)])]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256 ? Buffer.from([(major << 5) | 24, length]) : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
