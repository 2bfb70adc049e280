// The links of shares: opening one, and sending it by mail.

import { maxInvitations, inviteToShare as sendLink } from '../auth/account/invite.js';
import { describeShare, openShare as openLink } from '../auth/session/open-share.js';
import { parseQuery } from './carried-values.js';
import { may } from './open-rule.js';
import { type Operation, operation } from './operation.js';
import { issued, mode, signIn, tokens } from './session-shapes.js';
import { described, document, email, list, nothing, optional, text, withDefault } from './shape.js';

export const openShare = operation({
  ...signIn,
  id: 'openShare',
  summary: 'Open what a link shares',
  input: { share: text(), password: optional(text()), mode: withDefault(mode, 'json' as const) },
  output: tokens,
  run: async ({ deps, client }, input) => issued(await openLink(deps.auth, input, client)),
});

export const readShareInfo = operation({
  ...signIn,
  id: 'readShareInfo',
  summary: 'What a link shares',
  input: { id: text() },
  output: document(),
  run: ({ deps }, { id }) => describeShare(deps.auth, id),
});

export const inviteToShare = operation({
  ...signIn,
  id: 'inviteToShare',
  summary: 'Send the link of a share by mail',
  input: {
    share: text(),
    emails: list(email, { min: 1, max: maxInvitations }),
    share_url: described(optional(text({ format: 'uri' })), 'The page that opens the share, one of ALLOWED_URLS; Studio without it.'),
  },
  output: nothing,
  open: ['users', may('read', 'service_shares')],
  once: 'apart',
  run: async ({ deps, caller, work }, input) => {
    // FORBIDDEN unless the caller may read the share.
    await deps.reader.item(work, 'service_shares', [input.share], parseQuery({ fields: ['id'] }, deps.limits));
    await sendLink(deps.auth, caller, input);
  },
});

export const shareOperations: readonly Operation[] = [openShare, readShareInfo, inviteToShare];
