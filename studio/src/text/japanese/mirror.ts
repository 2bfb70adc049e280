// The texts of the drawer that shows a request, in Japanese.

import type { MirrorMessages } from '../english/mirror.js';

export const mirrorJapanese: MirrorMessages = {
  title: 'このページのリクエスト',
  hint: 'このページが読み取る内容を、自分のプログラムで使えます。応答はトークンの権限によって異なります。',
  tokenHint: 'TOKEN は自分、または専用アカウントの静的トークンです。',
  viewAs: (header) => `別のユーザーとして表示しています。ヘッダー ${header} も送信してください。`,
  kinds: 'リクエストの言語',
  copy: 'コピー',
  copied: 'コピーしました',
  sentTo: (address) => `送信先: ${address}`,
  noGraphql: 'GraphQL にはこの読み取りがありません。GraphiQL で一覧を確認できます。',
  openGraphiql: 'GraphiQL を開く',
};
