// The export formats: content type, file extension and the function that writes them batch by batch.

import type { AnswerColumn } from '../../../core/plan/read/answer-columns.js';
import type { ExportFormat } from '../../../core/query/query.js';
import { type CsvStyle, quoteRaw, writeCsv } from './write-csv.js';
import { type Batches, writeJson, writeXml, writeYaml } from './write-formats.js';

interface FormatFacts {
  readonly contentType: string;
  readonly extension: string;
  readonly write: (batches: Batches, columns: readonly AnswerColumn[]) => AsyncGenerator<string>;
}

/** Spreadsheets read a file as UTF-8 only if it begins with this. */
const byteOrderMark = '\uFEFF';

const csv = (style: CsvStyle): FormatFacts => ({
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  write: (batches, columns) => writeCsv(batches, columns, style),
});

export const exportFacts: Readonly<Record<ExportFormat, FormatFacts>> = {
  csv: csv({}),
  csv_utf8: csv({ prefix: byteOrderMark }),
  csv_raw: csv({ quote: quoteRaw }),
  json: { contentType: 'application/json; charset=utf-8', extension: 'json', write: writeJson },
  xml: { contentType: 'text/xml; charset=utf-8', extension: 'xml', write: writeXml },
  yaml: { contentType: 'text/yaml; charset=utf-8', extension: 'yaml', write: writeYaml },
};

/** The Content-Disposition header; a name that is not ASCII appears twice (RFC 6266). */
export function dispositionOf(collection: string, format: ExportFormat, now: Date): string {
  const time = now.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-');
  const name = `${collection} ${time}.${exportFacts[format].extension}`;
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_');
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
