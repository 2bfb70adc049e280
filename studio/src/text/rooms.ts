// The texts of the rooms in one language, each loaded once, when a part of it is first drawn.

import { use } from 'react';
import type { LanguageTexts, Room, RoomTexts } from './language-texts.js';

type Loads = { -readonly [R in Room]?: Promise<RoomTexts[R]> };

export class Rooms {
  readonly #texts: LanguageTexts['rooms'];
  readonly #loads: Loads = {};

  constructor(texts: LanguageTexts['rooms']) {
    this.#texts = texts;
  }

  /** For a component: what is not there yet shows the fallback of the `Suspense` around it. */
  read<R extends Room>(room: R): RoomTexts[R] {
    return use(this.load(room));
  }

  /** One promise per load, by which React knows it again. A load that failed is tried again by the next one that asks. */
  load<R extends Room>(room: R): Promise<RoomTexts[R]> {
    const known: Loads[R] = this.#loads[room];
    if (known !== undefined) return known;
    const load: Promise<RoomTexts[R]> = this.#texts[room]();
    this.#loads[room] = load as Loads[R];
    load.catch(() => {
      delete this.#loads[room];
    });
    return load;
  }
}
