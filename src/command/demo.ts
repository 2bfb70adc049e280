// `tain demo [database]`: loads the bookshop into a database, making it a Tain database first when it is none yet.

import { createService } from '../tain.js';
import { CommandError, type CommandInput } from './command.js';
import { withoutPassword } from './without-password.js';

export async function demo({ config, operands }: CommandInput): Promise<void> {
  const [database = config.databaseUrl] = operands;
  const service = await createService({ ...config, databaseUrl: database });
  try {
    const { administrator } = await service.ready();
    const result = await service.loadDemo();
    if (result.kind === 'refused') throw new CommandError(`nothing loaded: the database already has ${result.taken.join(', ')}`);
    console.log(`Loaded ${result.collections.join(', ')}.`);
    if (administrator?.generatedPassword != null) {
      console.log(`Administrator: ${administrator.email}, password ${administrator.generatedPassword} (shown only now)`);
    }
    console.log(`Next: tain start ${withoutPassword(database)}   then try   /items/${result.collections[0]}?fields=*.*`);
  } finally {
    await service.close();
  }
}
