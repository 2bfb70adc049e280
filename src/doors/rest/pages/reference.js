// The API reference, rendered from the OpenAPI description of what this visitor may do.

import { addressOf, ask, element, showProject } from './client.js';

const methods = ['get', 'search', 'post', 'patch', 'delete'];
const fixedTags = ['auth', 'account', 'server', 'graphql', 'utilities', 'structure'];

const anchorOf = (tag) => `tag-${encodeURIComponent(tag)}`;

function operationsByTag({ paths }) {
  const tags = new Map();
  for (const [path, { 'x-additionalOperations': { SEARCH: search } = {}, ...item }] of Object.entries(paths)) {
    const operations = { ...item, search };
    for (const method of methods.filter((name) => operations[name] !== undefined)) {
      const operation = operations[method];
      const [tag] = operation.tags;
      tags.set(tag, [...(tags.get(tag) ?? []), { path, method, operation, shared: item.parameters ?? [] }]);
    }
  }
  return tags;
}

/** `string | null`, `ItemsAuthors`, `array of integer`. */
function typeText(schema = {}) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeText).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const names = [schema.type ?? 'any'].flat().map((name) => (name === 'array' ? `array of ${typeText(schema.items)}` : name));
  return names.join(' | ') + (schema.format === undefined ? '' : ` (${schema.format})`);
}

const resolve = (description, schema) =>
  schema?.$ref === undefined
    ? schema
    : schema.$ref
        .split('/')
        .slice(1)
        .reduce((at, step) => at?.[step], description);

/** The object behind a list, a choice or a name. */
function objectOf(description, schema) {
  const found = resolve(description, schema) ?? {};
  if (found.oneOf !== undefined) return objectOf(description, found.oneOf[0]);
  return found.type === 'array' ? objectOf(description, found.items) : found;
}

/** What scrolls can be scrolled by keyboard. */
const code = (attributes, ...text) => element('pre', { tabindex: '0', ...attributes }, ...text);

/** What stands between backticks is code. */
const prose = (text) => text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));

function table(rows) {
  const cells = (row) => row.map((cell) => element('td', {}, ...prose(cell)));
  return element(
    'div',
    { class: 'scroll', tabindex: '0' },
    element('table', {}, element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row))))),
  );
}

const block = (title, ...content) => element('div', {}, element('h3', {}, title), ...content);

function fieldRows(description, schema) {
  const { properties = {}, required = [] } = objectOf(description, schema);
  return Object.entries(properties).map(([name, field]) => [
    name,
    typeText(field) + (required.includes(name) ? ', required' : ''),
    field.description ?? '',
  ]);
}

function describeSchema(description, title, schema) {
  if (schema === undefined) return null;
  const rows = fieldRows(description, schema);
  return block(`${title}: ${typeText(schema)}`, rows.length === 0 ? '' : table(rows));
}

function parametersOf(description, { operation, shared }) {
  const all = [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(description, parameter));
  if (all.length === 0) return null;
  return block('Parameters', table(all.map(({ name, schema, description: text }) => [name, typeText(schema), text ?? ''])));
}

/** What is in `data`, or the whole where there is no such envelope. */
function answerOf({ responses }) {
  const [content] = Object.values(responses['200']?.content ?? {});
  const { properties = {} } = content?.schema ?? {};
  return Object.keys(properties).join() === 'data' ? properties.data : content?.schema;
}

function tryOut({ path, method, operation }) {
  if (method !== 'get' || path.includes('{')) return null;
  const output = code({ hidden: '' });
  const button = element('button', { type: 'button', class: 'plain' }, 'Try it');
  button.addEventListener('click', async () => {
    const response = await fetch(addressOf(operation.parameters === undefined ? path : `${path}?limit=5`));
    const text = await response.text();
    output.hidden = false;
    try {
      output.textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      output.textContent = text;
    }
  });
  return element('div', {}, button, output);
}

const shownEvents = 50;

/** A live console: what happens in the list while the page is open, the latest event first. */
function followLive({ path, method, operation }) {
  if (method !== 'get' || operation.responses['200']?.content?.['text/event-stream'] === undefined) return null;
  const output = code({ hidden: '', 'aria-live': 'polite' });
  const button = element('button', { type: 'button', class: 'plain', 'aria-pressed': 'false' }, 'Follow');
  let source = null;
  let lines = [];
  const say = (text) => {
    lines = [`${new Date().toLocaleTimeString()} ${text}`, ...lines].slice(0, shownEvents);
    output.textContent = lines.join('\n');
    output.hidden = false;
  };
  const stop = () => {
    source?.close();
    source = null;
    button.textContent = 'Follow';
    button.setAttribute('aria-pressed', 'false');
  };
  button.addEventListener('click', () => {
    if (source !== null) {
      stop();
      return;
    }
    source = new EventSource(addressOf(`${path}?limit=5`));
    button.textContent = 'Stop';
    button.setAttribute('aria-pressed', 'true');
    for (const kind of ['init', 'create', 'update', 'delete', 'reset'])
      source.addEventListener(kind, ({ data }) => say(`${kind} ${JSON.stringify(JSON.parse(data).data)}`));
    source.addEventListener('error', ({ data }) => {
      say(data ?? 'The connection was cut.');
      // The browser comes back by itself, unless it was refused.
      if (source?.readyState === EventSource.CLOSED) stop();
    });
  });
  return element('div', {}, button, output);
}

function fill(details, description, entry) {
  const { operation, path, method } = entry;
  const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
  const body = json?.schema;
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  const carried = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '{…}'`;
  details.append(
    element(
      'div',
      { class: 'details' },
      code({}, `curl ${verb}${addressOf(path)} -H 'Authorization: Bearer …'${carried}`),
      parametersOf(description, entry),
      describeSchema(description, 'Body', body),
      describeSchema(description, 'Form', form?.schema),
      describeSchema(description, 'Answer', answerOf(operation)),
      tryOut(entry),
      followLive(entry),
    ),
  );
}

/** Filled when it is first opened: a large database has thousands of tables like these. */
function detailsOf(description, entry) {
  const { path, method, operation } = entry;
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: `badge ${method}` }, method),
      element('span', { class: 'path' }, decodeURIComponent(path)),
      element('span', { class: 'quiet' }, operation.summary),
    ),
  );
  details.addEventListener('toggle', () => fill(details, description, entry), { once: true });
  return details;
}

function sideLinks(tags) {
  const group = (title, names) =>
    names.length === 0 ? [] : [element('h2', {}, title), ...names.map((tag) => element('a', { href: `#${anchorOf(tag)}` }, tag))];
  const own = tags.filter((tag) => !fixedTags.includes(tag) && !tag.startsWith('service_'));
  const system = tags.filter((tag) => tag.startsWith('service_'));
  const service = tags.filter((tag) => fixedTags.includes(tag));
  return {
    order: [...own, ...service, ...system],
    links: [...group('Collections', own), ...group('Service', service), ...group('System', system)],
  };
}

function render(description, wanted) {
  const tags = operationsByTag(description);
  const { order, links } = sideLinks([...tags.keys()]);
  const sections = order.flatMap((tag) => {
    const matching = tags.get(tag).filter((entry) => matches(description, entry, wanted));
    if (matching.length === 0) return [];
    return [
      element(
        'section',
        { class: 'tag', id: anchorOf(tag) },
        element('h2', {}, tag),
        ...matching.map((entry) => detailsOf(description, entry)),
      ),
    ];
  });
  document.getElementById('tags').replaceChildren(...links);
  document
    .getElementById('operations')
    .replaceChildren(...(sections.length > 0 ? sections : [element('p', { class: 'note' }, 'Nothing here that you may do.')]));
}

function matches(description, { path, operation }, wanted) {
  if (wanted === '') return true;
  const fields = fieldRows(description, answerOf(operation)).map(([name]) => name);
  return [path, operation.summary, ...fields].some((text) => text.toLowerCase().includes(wanted));
}

/** In the frame of Studio: it leads elsewhere already, and is light or dark as it chooses. */
function followStudio() {
  const { documentElement: own } = document;
  const { documentElement: studio } = window.parent.document;
  const draw = () => {
    own.dataset.theme = studio.dataset.theme ?? '';
  };
  new MutationObserver(draw).observe(studio, { attributes: true, attributeFilter: ['data-theme'] });
  own.classList.add('framed');
  draw();
}

if (window.top !== window) followStudio();

async function show() {
  const [{ data: info }, description] = await Promise.all([ask('/server/info'), ask('/server/specs/oas')]);
  showProject(info.project);
  document.title = `${info.project.project_name}: API reference`;
  render(description, '');
  const find = document.getElementById('find');
  find.addEventListener('input', () => render(description, find.value.trim().toLowerCase()));
}

show().catch(() => {
  document.getElementById('operations').replaceChildren(element('p', { class: 'note' }, 'The description cannot be read at this moment.'));
});
