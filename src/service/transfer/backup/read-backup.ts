// Reads a backup file from its beginning to its end, part by part, and refuses a foreign, newer, damaged or unfinished one in words that say
// what to do. Every digest is compared, whoever reads.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Kept } from '../../../core/vendor/transfer.js';
import {
  type BackupEnd,
  type BackupHeader,
  BackupRefused,
  formatVersion,
  frameHead,
  frameKind,
  isPartHead,
  type KeptStructure,
  magic,
  mostFrameBytes,
  openJson,
  type PartEnd,
  type PartHead,
  partName,
} from './backup-file.js';

const decompress = promisify(gunzip);

/** What is done with the parts of a file, in their order. Each call is awaited before more is read. */
export interface BackupVisitor {
  header?(header: BackupHeader): Promise<void>;
  structure?(structure: KeptStructure): Promise<void>;
  begin?(part: PartHead): Promise<void>;
  rows?(rows: readonly (readonly Kept[])[]): Promise<void>;
  bytes?(chunk: Buffer): Promise<void>;
  end?(part: PartHead, end: PartEnd): Promise<void>;
}

interface Frame {
  readonly kind: string;
  readonly payload: Buffer;
}

export async function readBackup(
  path: string,
  release: string,
  visitor: BackupVisitor,
): Promise<{ readonly header: BackupHeader; readonly end: BackupEnd }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new BackupRefused(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return await new Reading(path, file, release, visitor).run();
  } finally {
    await file.close();
  }
}

class Reading {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #release: string;
  readonly #visitor: BackupVisitor;
  readonly #whole = createHash('sha256');
  #place = 'its beginning';
  readonly #found = { tables: 0, rows: 0, files: 0, bytes: 0 };

  constructor(path: string, file: FileHandle, release: string, visitor: BackupVisitor) {
    this.#path = path;
    this.#file = file;
    this.#release = release;
    this.#visitor = visitor;
  }

  async run(): Promise<{ readonly header: BackupHeader; readonly end: BackupEnd }> {
    const first = await this.#read(magic.length);
    if (first === null || !first.equals(magic))
      throw new BackupRefused(`${this.#path} is no backup of Tain: name a file that "tain backup" wrote`);
    this.#whole.update(first);
    this.#place = 'its header';
    const header = await this.#header();
    await this.#visitor.header?.(header);
    this.#place = 'the structure';
    const structure = await this.#take(frameKind.structure);
    await this.#visitor.structure?.(this.#parse<KeptStructure>((await this.#unpack(structure.payload)).toString('utf8')));
    for (;;) {
      this.#place = 'what follows the last part';
      const before = this.#whole.copy().digest('hex');
      const frame = await this.#next();
      if (frame.kind === frameKind.end) return { header, end: await this.#end(frame, before) };
      if (frame.kind !== frameKind.table && frame.kind !== frameKind.file) throw this.#damage();
      await this.#part(frame);
    }
  }

  async #header(): Promise<BackupHeader> {
    const { payload } = await this.#take(frameKind.header);
    const header = openJson(payload) as BackupHeader | null;
    if (header === null) throw this.#damage();
    if (header.format > formatVersion)
      throw new BackupRefused(
        `${this.#path} was written by Tain ${header.release} in form ${header.format}; this is Tain ${this.#release}, which reads form ${formatVersion}: use that release or a newer one`,
      );
    return header;
  }

  async #part(begin: Frame): Promise<void> {
    const digest = createHash('sha256').update(begin.payload);
    const part = this.#parse<unknown>(begin.payload.toString('utf8'));
    // Its digest comes with the end of the part: until then a changed byte shows by the form only.
    if (!isPartHead(part)) throw this.#damage();
    this.#place = partName(part);
    await this.#visitor.begin?.(part);
    let count = 0;
    for (;;) {
      const frame = await this.#next();
      if (frame.kind === frameKind.partEnd) {
        await this.#partEnd(part, frame, digest, count);
        return;
      }
      digest.update(frame.payload);
      count += await this.#content(part, frame);
    }
  }

  async #content(part: PartHead, { kind, payload }: Frame): Promise<number> {
    if (kind === frameKind.bytes && part.kind === 'file') {
      await this.#visitor.bytes?.(payload);
      return payload.length;
    }
    if (kind !== frameKind.rows || part.kind !== 'table') throw this.#damage();
    const lines = (await this.#unpack(payload)).toString('utf8').split('\n');
    await this.#visitor.rows?.(lines.map((line) => this.#parse<readonly Kept[]>(line)));
    return lines.length;
  }

  async #partEnd(part: PartHead, { payload }: Frame, digest: Hash, count: number): Promise<void> {
    const end = this.#parse<PartEnd>(payload.toString('utf8'));
    if (end.count !== count || end.digest !== digest.digest('hex')) throw this.#damage();
    if (part.kind === 'table') {
      this.#found.tables += 1;
      this.#found.rows += count;
    } else {
      this.#found.files += 1;
      this.#found.bytes += count;
    }
    await this.#visitor.end?.(part, end);
  }

  async #end({ payload }: Frame, digest: string): Promise<BackupEnd> {
    this.#place = 'its end';
    const end = openJson(payload) as BackupEnd | null;
    const { tables, rows, files, bytes } = this.#found;
    if (end === null || end.digest !== digest) throw this.#damage();
    if (end.tables !== tables || end.rows !== rows || end.files !== files || end.bytes !== bytes) throw this.#damage();
    if ((await this.#read(1)) !== null) throw this.#damage();
    return end;
  }

  async #take(kind: string): Promise<Frame> {
    const frame = await this.#next();
    if (frame.kind !== kind) throw this.#damage();
    return frame;
  }

  async #next(): Promise<Frame> {
    const head = await this.#read(frameHead);
    if (head === null) throw this.#cut();
    const length = head.readUInt32BE(1);
    if (length > mostFrameBytes) throw this.#damage();
    const payload = await this.#read(length);
    if (payload === null) throw this.#cut();
    this.#whole.update(head).update(payload);
    return { kind: head.toString('latin1', 0, 1), payload };
  }

  /** null: the file has fewer bytes. */
  async #read(length: number): Promise<Buffer | null> {
    // A damaged length may be larger than the file: nothing of that size is taken for it.
    const { size } = length > 2 ** 20 ? await this.#file.stat() : { size: Number.POSITIVE_INFINITY };
    if (length > size) return null;
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, length - at);
      if (bytesRead === 0) return null;
      at += bytesRead;
    }
    return bytes;
  }

  async #unpack(payload: Buffer): Promise<Buffer> {
    try {
      return await decompress(payload, { maxOutputLength: mostFrameBytes });
    } catch {
      throw this.#damage();
    }
  }

  #parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T;
    } catch {
      throw this.#damage();
    }
  }

  #damage(): BackupRefused {
    return new BackupRefused(`${this.#path} is damaged in ${this.#place}: take another copy of it, or another backup`);
  }

  #cut(): BackupRefused {
    return new BackupRefused(
      `${this.#path} ends in ${this.#place}: it was not written or copied to its end; take another copy of it, or another backup`,
    );
  }
}
