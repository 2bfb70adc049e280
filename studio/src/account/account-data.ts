// What the screen of one's own account reads, with one request, and how its parts act: a refusal is shown where it happened.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefreshAccess } from '../access/access-data.js';
import { type AccessKey, keyFields } from '../access/key-list.js';
import type { Identity, Passkey, Session } from '../access/person-parts.js';
import type { Boot, Providers } from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { showToast } from '../primitives/toasts.js';
import { fieldsFor } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

export const useAccountText = () => useText('account');

/** Concealed fields are asterisks where they are set; fields that the person may not read are missing. */
export interface Me {
  readonly id: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
  readonly language?: string | null;
  readonly appearance?: string | null;
  readonly email_notifications?: boolean | null;
  readonly password?: string | null;
  readonly tfa_secret?: string | null;
  readonly token?: string | null;
  readonly provider?: string | null;
}

export interface OwnAccount {
  readonly me: Me;
  readonly sessions: readonly Session[];
  readonly identities: readonly Identity[];
  readonly passkeys: readonly Passkey[];
  readonly keys: readonly AccessKey[];
  readonly providers: Providers;
}

interface RawAccount {
  readonly users_me: Me;
  readonly users_me_sessions: readonly Session[];
  readonly users_me_identities: readonly Identity[];
  readonly users_me_passkeys: readonly Passkey[];
  readonly users_me_keys: readonly AccessKey[];
  readonly auth_providers: Providers;
}

const wanted = [
  'first_name',
  'last_name',
  'email',
  'language',
  'appearance',
  'email_notifications',
  'password',
  'tfa_secret',
  'token',
  'provider',
];

export const requestOfAccount = ({ permissions }: Boot) => ({
  document: `{
  users_me { id ${wanted.filter(fieldsFor(permissions, 'users', 'read')).join(' ')} }
  users_me_sessions { created ip user_agent current }
  users_me_identities { id provider email last_used }
  users_me_passkeys { id name created last_used }
  users_me_keys { ${keyFields} }
  auth_providers
}`,
});

export function useAccount() {
  const { boot } = useStudio();
  return useQuery({
    // The key contains the user, because another person may have been signed in on this page before.
    queryKey: ['access', 'own account', boot.me.id],
    staleTime: 0,
    queryFn: async (): Promise<OwnAccount> => {
      const { document: query } = requestOfAccount(boot);
      const { data: answer } = await request<RawAccount>('POST', '/graphql/system', { body: { query } });
      return {
        me: answer.users_me,
        sessions: answer.users_me_sessions,
        identities: answer.users_me_identities,
        passkeys: answer.users_me_passkeys,
        keys: answer.users_me_keys,
        providers: answer.auth_providers,
      };
    },
    refetchOnWindowFocus: false,
  });
}

interface Task {
  /** Runs `act`. If it succeeds, shows `message` and resolves to true. */
  run(act: () => Promise<unknown>, message: string | null): Promise<boolean>;
  /** Why the last `act` failed. */
  readonly refusal: string | null;
}

/** Runs an action on the account, reports it, and reloads the account. */
export function useTask(): Task {
  const text = useText();
  const refresh = useRefreshAccess();
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    refusal,
    async run(act, message) {
      setRefusal(null);
      try {
        await act();
        if (message !== null) showToast(message);
        await refresh();
        return true;
      } catch (error) {
        setRefusal(error instanceof ApiError && error.status > 0 ? error.message : text.unreachable);
        return false;
      }
    },
  };
}
