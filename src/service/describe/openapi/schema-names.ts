// Names of schemas: `ItemsBookReviews` for the collection book_reviews, `Users` for the users.

import type { Collection } from '../../../core/schema/schema.js';
import { systemPrefix } from '../../../core/schema/system-definition.js';
import { pascalCase, uniqueNames } from '../unique-names.js';

export const nameSchemas = (collections: Iterable<Collection>): ReadonlyMap<string, string> =>
  uniqueNames(collections, ({ name, codeName }) =>
    codeName !== null ? plain(pascalCase(codeName.slice(systemPrefix.length))) : `Items${plain(pascalCase(name))}`,
  );

/** A component may be named by letters, digits and a few signs only; other characters become their code point. */
const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/gu, (letter) => `-${letter.codePointAt(0)?.toString(16)}`);
