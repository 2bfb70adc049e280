// Registration, where the project allows it. An answer does not reveal whether the address has an account already.

import { matchFilter } from '../../../core/access/match-filter.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { parseRule } from '../../../core/query/parse/parse-rule.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { hashPassword } from '../../secrets/hash-password.js';
import { invalidToken } from '../../secrets/signed-token.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { delayAnswer } from '../limits/minimum-time.js';
import { type AccountSettings, checkPasswordPolicy, readAccountSettings } from '../settings.js';
import { chooseLinkTarget } from './allowed-url.js';
import { sendMail, servicePage } from './send-mail.js';

const weekMs = 7 * 86_400_000;

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly verification_url: string | null;
}

/** Comes before everything else about a registration. */
export async function admitRegistration(context: AuthContext, client: ClientFacts): Promise<void> {
  await context.limiter.take('register', addressKey(client.ip));
  const { registration } = await readAccountSettings(context, context.driver);
  if (!registration) throw forbidden();
}

export async function register(context: AuthContext, { verification_url: target, ...newUser }: NewUser): Promise<void> {
  const { email, password } = newUser;
  const settings = await readAccountSettings(context, context.driver);
  const fallback = servicePage(context, '/users/register/verify-email');
  const link = chooseLinkTarget(target, context.options.allowedUrls, fallback, 'verification_url');
  if (!isAccepted(context, settings.emailFilter, email)) throw forbidden();
  checkPasswordPolicy(settings.passwordPolicy, password);
  await delayAnswer(context.options.refusalMs, async () => {
    const user = await addUser(context, settings, { ...newUser, password: await hashPassword(password) });
    if (user === null || !settings.verifyEmail) return;
    const token = await context.signer.sign('verify-email', { id: user }, weekMs);
    sendMail(context, { name: 'verify-email', to: email, link, token, project: settings.project });
  });
}

/** A filter that cannot be parsed accepts no address. */
function isAccepted({ options }: AuthContext, filter: unknown, email: string): boolean {
  if (filter === null) return true;
  try {
    const rule = parseRule(filter, 'validation', options.queryLimits);
    const lookup = { typeOf: () => 'string' as const, collectionFieldOf: () => null, relatedFieldOf: () => null };
    return rule === null || matchFilter(rule.filter, rule.literals, { email }, lookup);
  } catch {
    return false;
  }
}

/** `newcomer` holds no other fields, as the shape of the input has none (B08). Resolves to null when the address has an account already. */
async function addUser(
  context: AuthContext,
  settings: AccountSettings,
  newUser: Omit<NewUser, 'verification_url'>,
): Promise<string | null> {
  const id = crypto.randomUUID();
  const status = settings.verifyEmail ? 'unverified' : 'active';
  const row = { id, ...newUser, status, role: settings.registrationRole, provider: 'default' };
  try {
    await changeAccounts(context, (connection) => context.tables.users.insert(connection, [row]));
    return id;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') return null;
    throw error;
  }
}

export async function verifyRegistration(context: AuthContext, token: string): Promise<void> {
  const { claims } = await context.signer.verify('verify-email', token);
  const where = { id: String(claims['id']), status: 'unverified' };
  const verified = await changeAccounts(context, (connection) => context.tables.users.update(connection, { status: 'active' }, where));
  if (verified !== 1) throw invalidToken();
}
