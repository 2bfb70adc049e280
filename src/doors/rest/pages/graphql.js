// A console for GraphQL: an operation, its variables, the answer, and the types this visitor may use.

import { ask, send, showProject } from './client.js';

const find = (id) => document.getElementById(id);

const schemas = new Map();

async function run() {
  const variables = readVariables();
  if (variables === null) return;
  const response = await send(find('endpoint').value, { query: find('query').value, variables });
  find('answer').value = JSON.stringify(await response.json(), null, 2);
}

function readVariables() {
  try {
    return JSON.parse(find('variables').value.trim() || '{}');
  } catch {
    find('answer').value = 'The variables are no JSON.';
    return null;
  }
}

async function readSchema() {
  const system = find('endpoint').value.endsWith('/system');
  const path = system ? '/server/specs/graphql/system' : '/server/specs/graphql';
  if (!schemas.has(path)) schemas.set(path, await fetch(path).then((response) => (response.ok ? response.text() : '')));
  return schemas.get(path);
}

/** The types whose name or fields hold the wanted text. */
async function showTypes() {
  const wanted = find('find').value.trim().toLowerCase();
  const types = (await readSchema()).split('\n\n');
  const shown = types.filter((type) => (wanted === '' ? /^type Query/m.test(type) : type.toLowerCase().includes(wanted)));
  find('schema').value = shown.slice(0, 20).join('\n\n');
}

/** Something to begin with: the first collection there is. */
async function suggest() {
  const [, fields = ''] = /^type Query \{\n([\s\S]*?)\n\}/m.exec(await readSchema()) ?? [];
  const [, name, type] = /^ {2}(\w+)\([\s\S]*?\): \[(\w+)!?\]/m.exec(fields) ?? [];
  if (name === undefined) return 'query {\n  __schema {\n    queryType {\n      name\n    }\n  }\n}\n';
  const [, members = ''] = new RegExp(`^type ${type}[^{]*\\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(await readSchema()) ?? [];
  const plain = [...members.matchAll(/^ {2}(\w+): (?:ID|String|Int|Float|Boolean)!?$/gm)].slice(0, 4).map(([, field]) => `    ${field}`);
  return `query {\n  ${name}(limit: 5) {\n${plain.join('\n') || '    __typename'}\n  }\n}\n`;
}

async function show() {
  const { data: info } = await ask('/server/info');
  showProject(info.project);
  document.title = `${info.project.project_name}: GraphQL console`;
  find('query').value = await suggest();
  await showTypes();
}

find('run').addEventListener('click', run);
find('find').addEventListener('input', showTypes);
find('endpoint').addEventListener('change', showTypes);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
});
show();
