// The front page: what is mirrored, as far as this visitor may see it.

import { addressOf, ask, element, logout, send, showProject } from './client.js';

const find = (id) => document.getElementById(id);

const verbs = { get: 'read', post: 'create', patch: 'update', delete: 'delete' };

async function showStatus() {
  const started = performance.now();
  const answered = await fetch(addressOf('/server/ping')).then(
    (response) => response.ok,
    () => false,
  );
  find('light').classList.add(answered ? 'good' : 'bad');
  find('status').textContent = answered ? `answers in ${Math.max(1, Math.round(performance.now() - started))} ms` : 'does not answer';
}

async function showHealth() {
  const response = await fetch(addressOf('/server/health'));
  if (!response.ok) return;
  const { status, checks } = await response.json();
  // Only administrators get more than the status.
  if (checks === undefined) return;
  const [name, [check]] = Object.entries(checks).find(([key]) => key.endsWith(':responseTime')) ?? ['', [{}]];
  find('light').classList.toggle('bad', status === 'error');
  find('status').replaceChildren(
    element('a', { href: addressOf('/server/health') }, `${name.split(':')[0]} ${check.output ?? ''}`.trim()),
    ` answers in ${check.observedValue} ms`,
  );
}

function readCollections({ paths, components }) {
  return Object.entries(paths)
    .filter(([path]) => /^\/items\/[^/]+$/.test(path))
    .map(([path, operations]) => {
      const [first] = Object.values(operations);
      const [name] = first.tags;
      const reference = JSON.stringify(operations.get ?? first).match(/#\/components\/schemas\/(Items[^"]+)/)?.[1] ?? '';
      const { description, properties = {} } = components.schemas[reference] ?? {};
      return { name, path, description, fields: Object.keys(properties), actions: actionsOf(operations, paths[`${path}/{id}`] ?? {}) };
    });
}

const actionsOf = (list, one) => Object.entries(verbs).flatMap(([method, verb]) => (method in list || method in one ? [verb] : []));

function cardOf({ name, path, description, fields, actions }) {
  const title = actions.includes('read') ? element('a', { class: 'card-link', href: addressOf(`${path}?limit=25`) }, name) : name;
  return element(
    'article',
    { class: 'card' },
    element('h3', {}, title, element('span', { class: 'count' }, fields.length === 1 ? '1 field' : `${fields.length} fields`)),
    description === undefined ? null : element('p', {}, description),
    element('p', { class: 'fields' }, element('code', {}, fields.join(', '))),
    element('div', { class: 'foot' }, ...actions.map((action) => element('span', { class: `badge ${action}` }, action))),
  );
}

function showCollections(description, isKnown) {
  const collections = readCollections(description);
  find('collections').replaceChildren(...collections.map(cardOf));
  find('count').textContent = collections.length === 0 ? '' : String(collections.length);
  find('empty').hidden = collections.length > 0;
  find('empty').textContent = isKnown
    ? 'No collection is open to you. An administrator grants access by a policy, and creates collections by POST /collections.'
    : 'Nothing is open to the public. Log in to see what is open to you.';
}

function showAccount(user) {
  if (user === null) {
    const open = element('button', { type: 'button', class: 'plain' }, 'Log in');
    open.addEventListener('click', () => find('login').showModal());
    find('account').replaceChildren(open);
    return;
  }
  const leave = element('button', { type: 'button', class: 'plain' }, 'Log out');
  leave.addEventListener('click', async () => {
    await logout();
    location.reload();
  });
  find('account').replaceChildren(element('span', { class: 'who' }, user.email ?? 'logged in'), leave);
}

async function login(event) {
  event.preventDefault();
  const otp = find('otp').value;
  const credentials = { email: find('email').value, password: find('password').value, mode: 'session', ...(otp === '' ? {} : { otp }) };
  const response = await send('/auth/login', credentials);
  if (response.ok) {
    location.reload();
    return;
  }
  const {
    errors: [{ message, extensions }],
  } = await response.json();
  if (extensions.code === 'INVALID_OTP') find('code').hidden = false;
  find('problem').textContent = message;
  find('problem').hidden = false;
}

async function show() {
  const { data: info } = await ask('/server/info');
  const { project } = info;
  showProject(project);
  document.title = project.project_name;
  find('title').textContent = project.project_name === 'Tain' ? 'A database, mirrored.' : project.project_name;
  if (project.project_descriptor !== null) find('about').textContent = project.project_descriptor;
  const isKnown = 'version' in info;
  const [description, user] = await Promise.all([
    ask('/server/specs/oas'),
    isKnown ? ask('/users/me?fields=*').then(({ data }) => data) : null,
  ]);
  showAccount(user);
  showCollections(description, isKnown);
  await showStatus();
  if (isKnown) await showHealth();
}

find('login').querySelector('form').addEventListener('submit', login);
find('cancel').addEventListener('click', () => find('login').close());
show().catch(() => {
  find('light').classList.add('bad');
  find('status').textContent = 'does not answer';
});
