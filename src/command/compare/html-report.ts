// The comparison as one page without scripts, to be kept or sent.

import type { EndpointResult } from './run-comparison.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

export function htmlReport(from: string, to: string, results: readonly EndpointResult[], score: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Comparison of two servers</title><style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .8rem; border-bottom: 1px solid #ddd; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } code { font-size: .9em; overflow-wrap: anywhere; } li { margin: .4rem 0; }
</style></head><body>
<h1>${escaped(score)}</h1>
<p>${escaped(from)} compared with ${escaped(to)}.</p>
<table><thead><tr><th>Endpoint</th><th>Equal</th><th>Meant</th><th>Different</th></tr></thead><tbody>
${results.map(rowOf).join('\n')}
</tbody></table>
${results
  .filter(({ samples }) => samples.length > 0)
  .map(samplesOf)
  .join('\n')}
</body></html>
`;
}

const rowOf = ({ endpoint, equal, meant, different }: EndpointResult): string =>
  `<tr><td><code>${escaped(endpoint)}</code></td>${[equal, meant, different].map((count) => `<td class="n">${count}</td>`).join('')}</tr>`;

const samplesOf = ({ endpoint, samples }: EndpointResult): string => `<h2><code>${escaped(endpoint)}</code></h2><ul>
${samples.map(({ caller, path, lines }) => `<li><code>GET ${escaped(path)}</code> as ${escaped(caller)}<br>${lines.map((line) => `<code>${escaped(line)}</code>`).join('<br>')}</li>`).join('\n')}
</ul>`;
