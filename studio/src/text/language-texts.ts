// A language as a folder: the texts that every screen needs, and those of each room, which are loaded with it.

import type { AccessMessages } from './english/access.js';
import type { AccountMessages } from './english/account.js';
import type { AutomationMessages } from './english/automation.js';
import type { ExplainMessages } from './english/explain.js';
import type { InsightsMessages } from './english/insights.js';
import type { MirrorMessages } from './english/mirror.js';
import type { ModelMessages } from './english/model.js';
import type { RefusalTexts } from './english/refusals.js';
import type { RunningMessages } from './english/running.js';
import type { SeeAsMessages } from './english/see-as.js';
import type { SharesMessages } from './english/shares.js';
import type { SignOnMessages } from './english/sign-on.js';
import type { TalkMessages } from './english/talk.js';
import type { TranslationsMessages } from './english/translations.js';
import type { Messages } from './messages.js';

export interface RoomTexts {
  readonly access: AccessMessages;
  readonly account: AccountMessages;
  readonly automation: AutomationMessages;
  readonly explain: ExplainMessages;
  readonly insights: InsightsMessages;
  readonly mirror: MirrorMessages;
  readonly model: ModelMessages;
  readonly refusals: RefusalTexts;
  readonly running: RunningMessages;
  readonly seeAs: SeeAsMessages;
  readonly shares: SharesMessages;
  readonly signOn: SignOnMessages;
  readonly talk: TalkMessages;
  readonly translations: TranslationsMessages;
}

export type Room = keyof RoomTexts;

export interface LanguageTexts {
  readonly main: Messages;
  readonly rooms: { readonly [R in Room]: () => Promise<RoomTexts[R]> };
}
