// Says refusals of the service in the person's language. The words are loaded with the first refusal.

import type { ErrorEntry } from '../schema/error-entry.js';
import { type Speaker, wordRefusal } from '../text/word-refusal.js';

let speaker: Speaker | null = null;

/** In which language and with which titles refusals are said from now on. */
export const speakAs = (next: Speaker): void => {
  speaker = next;
};

export const unreachableText = (): string => speaker?.language.text.unreachable ?? 'The service cannot be reached.';

/** As the service says it if the words cannot be loaded, for it may be away. */
export async function inWords(entries: readonly ErrorEntry[]): Promise<readonly ErrorEntry[]> {
  if (speaker === null || entries.length === 0) return entries;
  const own = speaker;
  const texts = await own.language.rooms.load('refusals').catch(() => null);
  return texts === null ? entries : entries.map((entry) => ({ ...entry, message: wordRefusal(own, texts, entry) }));
}
