// GraphiQL on the endpoint it was opened at, with the user of the session cookie or of the header of the page.

import { GraphiQL } from 'graphiql';
import { createElement as element } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/graphiql.css';
import './graphiql.css';

// A proxy or host may serve the service below a path that it does not know: its root is two segments above this file.
const root = new URL('../..', import.meta.url).pathname;
const endpoints = ['graphql', 'graphql/system'];

/** Studio frames this page for the user who is signed in. */
const hint =
  window.parent === window
    ? '# Sign in to Studio, or set\n# {"Authorization": "Bearer …"}\n# under Headers.'
    : '# You ask with your own rights.';
const defaultQuery = `# Ask for anything you may see.
${hint}

{
  __typename
}
`;

async function fetcher(operation, { headers } = {}) {
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json, application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

function linkTo(endpoint) {
  const href = root + endpoint;
  const isHere = location.pathname.replace(/\/$/, '') === href;
  return element('a', { key: href, href, 'aria-current': isHere ? 'page' : undefined }, `/${endpoint}`);
}

const themeKey = 'graphiql:theme';

/** What GraphiQL keeps in the browser, except for the theme: the one of Studio is not a choice for the page on its own. */
const storageWithoutTheme = {
  getItem: (key) => (key === themeKey ? null : localStorage.getItem(key)),
  setItem: (key, value) => key !== themeKey && localStorage.setItem(key, value),
  removeItem: (key) => key !== themeKey && localStorage.removeItem(key),
  clear() {
    for (const key of ownKeys()) localStorage.removeItem(key);
  },
  get length() {
    return ownKeys().length;
  },
};

const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('graphiql:') && key !== themeKey);

const icon = element('img', { src: `${root}server/page/icon.svg`, alt: 'Front page', width: 22, height: 22 });
const links = endpoints.map(linkTo);
const page = createRoot(document.getElementById('graphiql'));
const show = (logo, appearance) =>
  page.render(element(GraphiQL, { fetcher, defaultQuery, ...appearance }, element(GraphiQL.Logo, {}, logo, links)));

/** Names the editors for those who do not see them. They are made one after the other. */
function nameEditors() {
  const editors = document.querySelectorAll('.CodeMirror textarea');
  const names = ['Query', 'Variables', 'Headers', 'Answer'];
  if (editors.length < names.length) return;
  observer.disconnect();
  for (const [index, editor] of editors.entries()) editor.setAttribute('aria-label', names[index]);
}

const observer = new MutationObserver(nameEditors);
observer.observe(document.getElementById('graphiql'), { childList: true, subtree: true });

if (window.top === window) show(element('a', { href: root }, icon), {});
else followStudio();

/** In the frame of Studio: it leads elsewhere already, and is light or dark as it chooses. */
function followStudio() {
  const { documentElement } = window.parent.document;
  const draw = () => show(null, { forcedTheme: documentElement.dataset.theme ?? 'system', storage: storageWithoutTheme });
  new MutationObserver(draw).observe(documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  draw();
}
