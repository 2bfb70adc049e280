// `tain relations suggest`: prints the relations that nobody declared, and creates them on demand, as metadata only.

import { createRelation } from '../service/structure/structure.js';
import type { Suggestion } from '../service/structure/suggest/suggest-relations.js';
import { CommandError, type CommandInput } from './command.js';
import { withService } from './one-shot.js';

export async function relations({ config, operands, switches }: CommandInput): Promise<void> {
  const [action, databaseUrl = config.databaseUrl] = operands;
  if (action !== 'suggest') throw new CommandError('usage: tain relations suggest [database]');
  await withService({ ...config, databaseUrl }, async (service) => {
    const { structure, caller } = await service.administer();
    const found = await structure.suggestRelations();
    for (const suggestion of found) console.log(describe(suggestion));
    if (found.length === 0) console.log('No column looks like a relation that is not declared already.');
    if (!switches.has('accept')) return;
    const confirmed = found.filter(({ matched }) => matched !== null && matched > 0);
    const changes = confirmed.map((suggestion) => createRelation(asRelation(suggestion)));
    await structure.run(caller(), { planners: changes.flatMap(({ planners }) => planners), answer: () => null });
    console.log(`Created ${confirmed.length} of ${found.length}, as metadata only.`);
  });
}

const describe = ({ collection, field, related_collection: related, compared, matched }: Suggestion): string => {
  const values = compared === null ? 'not compared' : compared === 0 ? 'no values' : `${matched} of ${compared} values match`;
  return `${collection}.${field} → ${related}   (${values})`;
};

const asRelation = ({ collection, field, related_collection, one_field }: Suggestion): object => ({
  collection,
  field,
  related_collection,
  schema: null,
  meta: { one_field },
});
