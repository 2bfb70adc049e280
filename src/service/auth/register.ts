// Registration by anybody, where the project allows it. Whether an address is taken already is told to nobody but its owner.

import { matchFilter } from '../../core/access/match-filter.js';
import { forbidden } from '../../core/errors/service-error.js';
import { parseRule } from '../../core/query/parse-rule.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import { hashPassword } from '../secrets/hash-password.js';
import { invalidToken } from '../secrets/signed-token.js';
import { type Body, readBody, readEmail, readOptionalText, readText } from './account-payload.js';
import { chooseLinkTarget } from './allowed-url.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { addressKey } from './limiter.js';
import { checkPasswordPolicy } from './password-policy.js';
import { ownPage, sendLetter } from './send-letter.js';
import { type AccountSettings, readAccountSettings } from './settings.js';
import { stallAlways } from './stall.js';

const weekMs = 7 * 86_400_000;

export async function register(context: AuthContext, body: unknown, client: ClientFacts): Promise<void> {
  await context.limiter.take('register', addressKey(client.ip));
  const settings = await readAccountSettings(context, context.driver);
  if (!settings.registration) throw forbidden();
  const payload = readBody(body);
  const [email, password] = [readEmail(payload, 'email'), readText(payload, 'password')];
  const standard = ownPage(context, '/users/register/verify-email');
  const link = chooseLinkTarget(payload['verification_url'], context.options.allowedUrls, standard, 'verification_url');
  if (!isWelcome(context, settings.emailFilter, email)) throw forbidden();
  checkPasswordPolicy(settings.passwordPolicy, password);
  await stallAlways(context.options.stallMs, async () => {
    const user = await addUser(context, settings, payload, email, await hashPassword(password));
    if (user === null || !settings.verifyEmail) return;
    const token = await context.signer.sign('verify-email', { id: user }, weekMs);
    sendLetter(context, { name: 'verify-email', to: email, link, token, project: settings.project });
  });
}

/** A filter that cannot be read welcomes nobody. */
function isWelcome({ options }: AuthContext, filter: unknown, email: string): boolean {
  if (filter === null) return true;
  try {
    const rule = parseRule(filter, 'validation', options.queryLimits);
    const lookup = { typeOf: () => 'string' as const, collectionFieldOf: () => null };
    return rule === null || matchFilter(rule.filter, rule.literals, { email }, lookup);
  } catch {
    return false;
  }
}

/** Of the payload only these names are taken (B08). null: the address has an account already. */
async function addUser(
  context: AuthContext,
  settings: AccountSettings,
  payload: Body,
  email: string,
  password: string,
): Promise<string | null> {
  const id = crypto.randomUUID();
  const names = {
    first_name: readOptionalText(payload, 'first_name', 50),
    last_name: readOptionalText(payload, 'last_name', 50),
  };
  const status = settings.verifyEmail ? 'unverified' : 'active';
  const row = { id, ...names, email, password, status, role: settings.registrationRole, provider: 'default' };
  try {
    await changeAccounts(context, (connection) => context.tables.users.insert(connection, [row]));
    return id;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'unique') return null;
    throw error;
  }
}

export async function verifyRegistration(context: AuthContext, token: unknown): Promise<void> {
  const { claims } = await context.signer.verify('verify-email', typeof token === 'string' ? token : '');
  const where = { id: String(claims['id']), status: 'unverified' };
  const verified = await changeAccounts(context, (connection) => context.tables.users.update(connection, { status: 'active' }, where));
  if (verified !== 1) throw invalidToken();
}
