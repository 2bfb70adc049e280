// One text per key and language. The database guards it; here it is told in the words of the resource.

import type { Hooks, WriteEvent } from '../../core/engine/hooks.js';
import type { SystemRows } from '../../core/engine/system-rows.js';
import { invalidPayload } from '../../core/errors/service-error.js';

export function guardTranslations(hooks: Hooks, translations: SystemRows): void {
  hooks.before('service_translations', 'create', async ({ work, items }: WriteEvent) => {
    const names = items.map(({ values }) => ({ key: values.get('key'), language: values.get('language') }));
    const present = await translations.read(work.connection, ['key', 'language'], { key: names.map(({ key }) => key) });
    const taken = names.find(({ key, language }) => present.some((row) => row['key'] === key && row['language'] === language));
    if (taken !== undefined) throw invalidPayload(`There is a text for "${String(taken.key)}" in "${String(taken.language)}" already.`);
    return undefined;
  });
}
