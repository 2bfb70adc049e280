// What operations that begin, renew or end a session have in common.

import { type IssuedTokens, sessionModes } from '../auth/session/issue-tokens.js';
import { Outcome } from './operation.js';
import { choice, integer, object, optional, type Shape, text } from './shape.js';

export const signIn = { tag: 'auth', open: ['everybody'], once: 'never', secret: true } as const;

export const mode = choice(sessionModes, 'auth_mode');

/** Cookies hold what the mode leaves out. */
export const tokens = object(
  { access_token: optional(text()), refresh_token: optional(text()), expires: integer(0, Number.MAX_SAFE_INTEGER) },
  { name: 'auth_tokens' },
) as Shape<unknown>;

export const session = { refresh_token: optional(text()), mode: optional(mode) };

export const issued = ({ data, cookie }: IssuedTokens): Outcome<unknown> => new Outcome(data, cookie === null ? {} : { cookies: [cookie] });
