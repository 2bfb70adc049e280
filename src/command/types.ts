// `tain types [file]`: the structure of the database as TypeScript, for clients that want their answers typed.

import { writeFile } from 'node:fs/promises';
import { describeTypes } from '../service/describe/describe-types.js';
import { createService } from '../tain.js';
import type { CommandInput } from './command.js';

export async function types({ config, operands }: CommandInput): Promise<void> {
  const [file] = operands;
  const service = await createService(config);
  try {
    const { caller } = await service.administer();
    const text = describeTypes(caller().view.schema);
    if (file === undefined) console.log(text);
    else await writeFile(file, text);
  } finally {
    await service.close();
  }
}
