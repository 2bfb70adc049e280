// Logging in and out, and opening what somebody shared.

import { group, listOf, object, oneOfTexts, open, switchSchema, text } from '../fixed-operation.js';
import { content, data, nothing } from '../operation.js';

const mode = oneOfTexts('json', 'cookie', 'session');
const tokens = data(object({ access_token: text, refresh_token: text, expires: { type: 'integer' } }));
const address = { type: 'string', format: 'uri' };
const everybody = open('everybody');

export const authOperations = group('auth', {
  providers: everybody('get /auth', 'Ways to log in besides the password', {
    answer: content('application/json', object({ data: listOf(text), disableDefault: switchSchema })),
  }),
  login: everybody('post /auth/login', 'Log in', {
    body: object({ email: text, password: text, mode, otp: text }, 'email', 'password'),
    answer: tokens,
  }),
  refresh: everybody('post /auth/refresh', 'Renew an access token', { body: object({ refresh_token: text, mode }), answer: tokens }),
  logout: everybody('post /auth/logout', 'Log out', { body: object({ refresh_token: text, mode }), answer: nothing }),
  requestPasswordReset: everybody('post /auth/password/request', 'Ask for a letter to set a new password with', {
    body: object({ email: text, reset_url: address }, 'email'),
    answer: nothing,
  }),
  resetPassword: everybody('post /auth/password/reset', 'Set a new password', {
    body: object({ token: text, password: text }, 'token', 'password'),
    answer: nothing,
  }),
  openShare: everybody('post /shares/auth', 'Open what a link shares', {
    body: object({ share: text, password: text, mode }, 'share'),
    answer: tokens,
  }),
  readShareInfo: everybody('get /shares/info/{id}', 'What a link shares', { answer: data({ type: 'object' }) }),
});
