// The texts of the screens about translations, in Japanese.

import type { TranslationsMessages } from '../english/translations.js';

export const translationsJapanese: TranslationsMessages = {
  hint: '名前、メモ、プレースホルダー、選択肢の $t:key は、閲覧者の言語でのそのキーのテキストになります。',
  add: '新規翻訳',
  find: 'キーまたはテキストを検索',
  key: 'キー',
  keyHint: 'テキストを表示する場所に $t:key と書きます。',
  none: '翻訳はまだありません',
  noneHint: '言語ごとに異なる、フォーム、一覧、ダッシュボードのテキストを管理します。',
  missing: 'テキストなし',
  edit: (key) => `${key} を変更`,
  another: '別の言語',
  anotherHint: 'fr-FR などのタグ。',
  addLanguage: '言語を追加',
  save: '保存',
  saved: '翻訳を保存しました',
  delete: '削除',
  deleteAsk: (key) => `翻訳「${key}」を削除しますか?`,
  deleteHint: (count) => `${count} 件のテキストが失われます。キーを使用している場所には、キーがそのまま表示されます。`,
  deleted: '翻訳を削除しました',
  failed: '翻訳を読み取れません。',
  more: 'さらに表示',
  pick: '翻訳テキストを使用',
  use: (key) => `${key} を使用`,
  nothingFound: '一致するものがありません。',
};
