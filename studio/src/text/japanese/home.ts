// The texts of the first screen in Japanese.

import type { Messages } from '../messages.js';

export const homeJapanese = {
  recentlyEdited: '最近編集したもの',
  ownDrafts: 'このブラウザーの下書き',
  firstSteps: 'はじめに',
  firstStepsHint: 'このプロジェクトは空です。ほかのプログラムがデータベースに作成したテーブルは、自動でここに表示されます。',
  stepModel: 'コレクションを作成',
  stepModelHint: 'フィールドを持つテーブルです。一覧、フォーム、API がすぐに使えます。',
  stepPeople: 'ユーザーを招待',
  stepPeopleHint: 'メールが届き、パスワードを設定してもらいます。',
  stepAccess: '権限を決定',
  stepAccessHint: 'ポリシーで、コレクション、アイテム、フィールドをロールやユーザーに公開します。',
  stepSettings: 'プロジェクトに名前を付ける',
  stepSettingsHint: '名前、色、言語を設定します。',
} satisfies Partial<Messages>;
