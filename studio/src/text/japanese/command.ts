// The texts of the command menu in Japanese.

import type { Messages } from '../messages.js';

export const commandJapanese = {
  commands: 'コマンド',
  signOn: 'サインインプロバイダー',
  translations: '翻訳',
  api: 'API',
  graphiql: 'GraphiQL',
  slowStatements: '遅い SQL 文',
  keys: 'キー',
  storage: 'ストレージ',
  pickTranslation: '翻訳テキストを使用',
  shownAs: (text) => `「${text}」と表示されます`,
  findAnything: 'コレクションやコマンドを検索',
  goTo: '移動',
  create: '作成',
  searchIn: '検索',
  actions: '操作',
  newIn: (collection) => `${collection} に新規アイテム`,
  searchFor: (searchText, collection) => `${collection} で「${searchText}」を検索`,
  lightAppearance: 'ライトモード',
  darkAppearance: 'ダークモード',
  systemAppearance: 'システムの外観',
  more: 'その他',
  showRequest: 'リクエストとして表示',
  modelDiagram: 'モデル: ダイアグラム',
  compareSnapshot: 'モデル: スナップショットと比較',
} satisfies Partial<Messages>;
