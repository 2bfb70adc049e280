// The texts of "Explain this list" in Japanese.

import type { ExplainMessages } from '../english/explain.js';

export const explainJapanese: ExplainMessages = {
  title: (name) => `「${name}」の読み取り方`,
  asking: 'データベースに問い合わせ中…',
  scan: 'スキャン',
  search: '検索',
  readsAll: (rows, collection) => `${collection} の全 ${rows} 行を読み取り`,
  readsAllUnknown: (collection) => `${collection} の全行を読み取り`,
  readsFirst: (rows, collection) => `${collection} の先頭から ${rows} 行を読み取り`,
  readsInOrder: (collection, index) => `${collection} をインデックス ${index} の順に読み取り`,
  finds: (collection, index) => `${collection} の行をインデックス ${index} で検索`,
  findsByKey: (collection) => `${collection} の行をキーで検索`,
  noIndex: (fields) => `${fields} にインデックスなし`,
  sorts: '見つかった行を並べ替えてから応答',
  suggestion: (collection, fields) => `${collection} の ${fields} にインデックスがあれば、これらの行を直接検索できます。`,
  cost: 'インデックスは容量を使い、書き込みが少し遅くなります。',
  add: 'このインデックスを追加…',
  fine: '不足しているインデックスはありません。',
  better: (before, now) => `実行計画が変わりました。変更前: ${before}。現在: ${now}。`,
  statement: 'SQL 文',
  rawPlan: 'データベースの実行計画',
};
