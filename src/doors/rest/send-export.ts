// A list as a file to keep: the format's headers, and its text as fast as the client takes it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reader } from '../../core/engine/read/reader.js';
import type { ExportFormat } from '../../core/query/query.js';
import { dispositionOf, exportFacts } from '../../service/utilities/export/export-items.js';
import { beginReading, streamText } from '../http/answer/send.js';

export interface ExportedList {
  readonly name: string;
  readonly format: ExportFormat;
  readonly columns: ReturnType<Reader['columns']>;
  readonly batches: AsyncIterable<readonly string[]>;
}

export async function sendExport(request: FastifyRequest, reply: FastifyReply, list: ExportedList): Promise<FastifyReply> {
  const { contentType, write } = exportFacts[list.format];
  // Formats have something to say before the first item; whether there will be one is known first.
  const body = write(await beginReading(request, list.batches), list.columns);
  reply.header('content-disposition', dispositionOf(list.name, list.format, new Date()));
  return streamText(request, reply, body, contentType);
}

export async function* oneBatch(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  yield texts;
}
