import { expect, it } from 'vitest';
import { newsroomSchema } from '../../../test/fixtures/newsroom-schema.js';
import { foreignKey, table } from '../../../test/fixtures/raw-facts.js';
import { allGrants } from '../../core/access/permission.js';
import { makeView } from '../../core/access/view.js';
import { buildSchema } from '../../core/schema/build/build-schema.js';
import { ownHome } from '../../core/schema/system-home.js';
import { describeTypes } from './describe-types.js';

it('writes an interface per collection and one that names them all', () => {
  expect(describeTypes(makeView(newsroomSchema, allGrants))).toMatchInlineSnapshot(`
    "// Written by \`tain types\`; written anew, not changed by hand.

    export interface Articles {
      id: number;
      title: string;
      status: string | null;
      author: number | Authors | null;
      made: 'datetime' | null;
      changed: 'datetime' | null;
      shout: string | null;
      tags: number[] | ArticlesTags[];
      comments: number[] | Comments[];
    }

    export interface ArticlesTags {
      id: number;
      article: number | Articles | null;
      tag: number | Tags | null;
      note: string | null;
    }

    export interface Authors {
      id: number;
      name: string;
      email: string | null;
      team: number | Teams | null;
      country: string | Countries | null;
      articles: number[] | Articles[];
    }

    export interface Blocks {
      id: number;
      page: number | Pages | null;
      collection: "teams" | "countries" | null;
      item: string | Teams | Countries | null;
      sort: number | null;
    }

    export interface Comments {
      id: number;
      text: string | null;
      article: number | Articles | null;
    }

    export interface Countries {
      code: string;
      name: string | null;
      authors: number[] | Authors[];
    }

    export interface Lines {
      order: number;
      place: number;
      text: string | null;
    }

    export interface Pages {
      id: number;
      title: string | null;
      blocks: number[] | Blocks[];
    }

    export interface Stamps {
      id: string;
      name: string | null;
      maker: string | null;
    }

    export interface Tags {
      id: number;
      name: string | null;
      articles_tags: number[] | ArticlesTags[];
    }

    export interface Teams {
      id: number;
      name: string | null;
      members: number[] | Authors[];
    }

    export interface Schema {
      articles: Articles[];
      articles_tags: ArticlesTags[];
      authors: Authors[];
      blocks: Blocks[];
      comments: Comments[];
      countries: Countries[];
      lines: Lines[];
      pages: Pages[];
      stamps: Stamps[];
      tags: Tags[];
      teams: Teams[];
    }
    "
  `);
});

it('writes a foreign key of several columns as the key of an item or the item', () => {
  const shelves = table('shelves', ['room', 'no'], { primaryKey: ['room', 'no'] });
  const keys = [foreignKey(['room', 'no'], 'shelves', { foreignColumns: ['room', 'no'] })];
  const schema = buildSchema(
    1,
    { tables: [shelves, table('books', ['id', 'room', 'no'], { foreignKeys: keys })] },
    { collections: [], fields: [], relations: [] },
    ownHome([]),
  );
  const types = describeTypes(makeView(schema, allGrants));
  expect(types).toContain('  room_no: string | Shelves | null;');
  expect(types).toContain('  books: string[] | Books[];');
});
