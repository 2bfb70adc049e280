// Bytes as a canonical value. Keys of items are written, compared and remembered as text, so bytes state theirs: the wire form.

export class Bytes extends Uint8Array {
  /** `hex`: digits without the `\x` before them. */
  static ofHex(hex: string): Bytes {
    return new Bytes(Buffer.from(hex, 'hex'));
  }

  override toString(): string {
    return `\\x${Buffer.from(this).toString('hex')}`;
  }
}
