// Writes a backup file. It has another name until it is complete, so that a file with its own name is never a part of a backup. Rows are
// compressed in pieces of a bounded size, one while the next is filled.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Kept } from '../../../core/vendor/transfer.js';
import {
  type BackupEnd,
  type BackupHeader,
  frameHead,
  frameKind,
  type KeptStructure,
  magic,
  type PartHead,
  sealJson,
} from './backup-file.js';

const compress = promisify(gzip);
/** Characters of rows that one frame holds, but for a single row that is longer. */
const pieceCharacters = 64 * 1024;
const level = 5;

type FrameKind = (typeof frameKind)[keyof typeof frameKind];

export class BackupWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #whole = createHash('sha256');
  #part: Hash | null = null;
  #count = 0;
  #lines: string[] = [];
  #characters = 0;
  readonly #piece = Buffer.allocUnsafeSlow(4 * pieceCharacters);
  #writing: Promise<void> = Promise.resolve();
  readonly #totals = { tables: 0, rows: 0, files: 0, bytes: 0 };

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<BackupWriter> {
    // A backup holds everything that the database does, so nobody else may read it.
    const file = await open(`${path}.part`, 'w', 0o600);
    const writer = new BackupWriter(path, file);
    await writer.#write(magic);
    return writer;
  }

  header(header: BackupHeader): Promise<void> {
    return this.#frame(frameKind.header, sealJson(header));
  }

  async structure(structure: KeptStructure): Promise<void> {
    await this.#frame(frameKind.structure, await compress(JSON.stringify(structure), { level }));
  }

  async begin(part: PartHead): Promise<void> {
    this.#part = createHash('sha256');
    this.#count = 0;
    await this.#frame(part.kind === 'table' ? frameKind.table : frameKind.file, Buffer.from(JSON.stringify(part), 'utf8'));
  }

  /** Resolves at once while there is room. */
  async row(row: readonly Kept[]): Promise<void> {
    const line = JSON.stringify(row);
    this.#lines.push(line);
    this.#characters += line.length;
    this.#count += 1;
    if (this.#characters >= pieceCharacters) await this.#flush();
  }

  async bytes(chunk: Buffer): Promise<void> {
    this.#count += chunk.length;
    await this.#frame(frameKind.bytes, chunk);
  }

  /** Resolves to the number of rows or bytes. */
  async end(kind: PartHead['kind']): Promise<number> {
    await this.#flush();
    await this.#writing;
    if (kind === 'table') {
      this.#totals.tables += 1;
      this.#totals.rows += this.#count;
    } else {
      this.#totals.files += 1;
      this.#totals.bytes += this.#count;
    }
    const digest = this.#part?.digest('hex') ?? '';
    this.#part = null;
    await this.#frame(frameKind.partEnd, Buffer.from(JSON.stringify({ count: this.#count, digest }), 'utf8'));
    return this.#count;
  }

  /** The file gets its name. */
  async finish(): Promise<BackupEnd> {
    const end: BackupEnd = { ...this.#totals, digest: this.#whole.copy().digest('hex') };
    await this.#frame(frameKind.end, sealJson(end));
    await this.#file.sync();
    await this.#file.close();
    await rename(`${this.#path}.part`, this.#path);
    return end;
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close().catch(() => undefined);
    await rm(`${this.#path}.part`, { force: true });
  }

  /** Waits for the piece before, so that at most two are in memory. */
  async #flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('\n');
    this.#lines = [];
    this.#characters = 0;
    await this.#writing;
    this.#writing = compress(this.#bytesOf(text), { level }).then((packed) => this.#frame(frameKind.rows, packed));
    // It is awaited with the next piece.
    this.#writing.catch(() => undefined);
  }

  /** In the same memory for every piece: what is outside of the heap is freed late. */
  #bytesOf(text: string): Buffer {
    if (text.length * 3 > this.#piece.length) return Buffer.from(text, 'utf8');
    return this.#piece.subarray(0, this.#piece.write(text, 'utf8'));
  }

  async #frame(kind: FrameKind, payload: Buffer): Promise<void> {
    const head = Buffer.alloc(frameHead);
    head.write(kind, 0, 'latin1');
    head.writeUInt32BE(payload.length, 1);
    this.#part?.update(payload);
    await this.#write(head);
    await this.#write(payload);
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#whole.update(bytes);
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
  }
}
