// A list as a file: the items' JSON texts, batch by batch, become one of the export formats (items.md 2.7) without being held in memory.

import type { AnswerColumn } from '../../../core/plan/answer-columns.js';
import type { ExportFormat } from '../../../core/query/query.js';
import type { Batches } from './batches.js';
import { quoteRaw } from './csv-cell.js';
import { type CsvStyle, writeCsv } from './write-csv.js';
import { writeJson } from './write-json.js';
import { writeXml } from './write-xml.js';
import { writeYaml } from './write-yaml.js';

interface FormatFacts {
  readonly contentType: string;
  readonly extension: string;
  readonly write: (batches: Batches, columns: readonly AnswerColumn[]) => AsyncGenerator<string>;
}

/** Spreadsheets take a file for UTF-8 only with this in front. */
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

/** `attachment; filename="articles 2024-03-31 23-59-59.csv"`; names beyond ASCII are given twice (RFC 6266). */
export function dispositionOf(collection: string, format: ExportFormat, now: Date): string {
  const time = now.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-');
  const name = `${collection} ${time}.${exportFacts[format].extension}`;
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_');
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
