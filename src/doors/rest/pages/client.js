// What the pages share: the addresses of the service, requests to the API with the session cookie, and making elements.

// A proxy or host may serve the service below a path that it does not know: its root is two segments above this file.
const root = new URL('../..', import.meta.url).href.replace(/\/$/, '');

/** Where the service answers a path of the API. */
export const addressOf = (path) => root + path;

/** The parsed answer. A cookie whose session has ended is given back, and the question asked again. */
export async function ask(path, again = true) {
  const response = await fetch(addressOf(path), { headers: { accept: 'application/json' } });
  if (response.ok) return response.json();
  if (again && (response.status === 401 || response.status === 403)) {
    const { errors = [] } = await response.json().catch(() => ({}));
    const [{ extensions } = {}] = errors;
    if (extensions?.code !== 'FORBIDDEN' && (await logout())) return ask(path, false);
  }
  throw new Error(`${path} answered ${response.status}`);
}

export async function send(path, body) {
  return fetch(addressOf(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

export async function logout() {
  return (await send('/auth/logout', { mode: 'session' })).ok;
}

/** `element('a', { href: '/' }, 'Home')`; texts stay texts. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function showProject({ project_name: name, project_color: colour }) {
  document.getElementById('project').textContent = name;
  if (typeof colour === 'string' && CSS.supports('color', colour)) document.documentElement.style.setProperty('--project', colour);
}
