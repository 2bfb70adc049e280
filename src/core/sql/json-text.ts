// A JSON document that is written already, for a column of the service's own: nobody need read it again.

export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
