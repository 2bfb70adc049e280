// The text printed when the service is up: its address and, on the first start, how to log in and what to try first.

import type { Config, Service } from '../tain.js';

export interface Welcome {
  readonly config: Config;
  readonly address: string;
  readonly administrator: Ready['administrator'];
  readonly setupCode: Ready['setupCode'];
}

type Ready = Awaited<ReturnType<Service['ready']>>;

export function welcome({ config, address, administrator, setupCode }: Welcome): string {
  const ready = `Tain is ready at ${address}`;
  const setup =
    setupCode === null || !config.admin
      ? []
      : ['Set it up in a browser, until the administrator signs in:', `  ${config.publicUrl ?? address}/admin/setup#${setupCode}`];
  if (administrator === null) return [ready, ...setup].join('\n');
  const { email, generatedPassword } = administrator;
  const password = generatedPassword ?? config.adminPassword ?? '';
  return box([
    ready,
    '',
    'First start: an administrator was made.',
    `  email     ${email}`,
    generatedPassword === null ? '  password  as you set it in ADMIN_PASSWORD' : `  password  ${generatedPassword}   (shown only now)`,
    ...(setup.length === 0 ? [] : ['', ...setup]),
    '',
    'Log in:',
    `  curl ${address}/auth/login -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"${email}","password":"${generatedPassword === null ? '…' : password}"}'`,
    'Then ask for something, with the access_token of that answer:',
    `  curl ${address}/collections -H 'Authorization: Bearer ACCESS_TOKEN'`,
  ]);
}

function box(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '─'.repeat(width + 2);
  return [`┌${edge}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${edge}┘`].join('\n');
}
