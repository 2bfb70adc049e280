// What keeps a folder from being made, as one sentence for the person who asked for it.

export class Refusal extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence);
    this.name = 'Refusal';
  }
}
