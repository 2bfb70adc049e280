// GraphiQL on the endpoint it was opened at, asking as whoever the session cookie or the header of the page names.

import { GraphiQL } from 'graphiql';
import { createElement as element } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/graphiql.css';
import './graphiql.css';

const endpoints = ['/graphql', '/graphql/system'];

const defaultQuery = `# Ask for anything you may see.
# To ask as somebody, log in on the front page,
# or set {"Authorization": "Bearer …"} as a header below.

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

const linkTo = (path) => element('a', { key: path, href: path, 'aria-current': location.pathname === path ? 'page' : undefined }, path);

const wayBack = element('a', { href: '/' }, element('img', { src: '/server/page/icon.svg', alt: 'Front page', width: 22, height: 22 }));

// In the frame of Studio: it leads elsewhere already, and has an appearance of its own.
const isFramed = window.top !== window;
const logo = element(GraphiQL.Logo, {}, isFramed ? null : wayBack, endpoints.map(linkTo));
const forcedTheme = isFramed ? (window.parent.document.documentElement.dataset.theme ?? 'system') : undefined;

createRoot(document.getElementById('graphiql')).render(element(GraphiQL, { fetcher, defaultQuery, forcedTheme }, logo));
