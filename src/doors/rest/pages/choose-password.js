// The pages behind the links of mails: a new password after a forgotten one, the first one after an invitation. The address says which.

import { ask, send, showProject } from './client.js';

const find = (id) => document.getElementById(id);

const isInvitation = location.pathname.endsWith('/accept-invite');
const token = new URLSearchParams(location.search).get('token') ?? '';

// The token is good for one use: keep it out of the history and of what is copied from the address bar.
history.replaceState(null, '', location.pathname);

find('title').textContent = isInvitation ? 'Welcome: choose a password' : 'Choose a new password';
find('about').textContent = isInvitation ? 'It completes your account.' : 'It replaces the old one and ends all other sessions.';

function complain(text) {
  find('problem').textContent = text;
  find('problem').hidden = false;
}

async function save(event) {
  event.preventDefault();
  find('problem').hidden = true;
  const password = find('password').value;
  if (password !== find('again').value) return complain('The two passwords differ.');
  const response = await send(isInvitation ? '/users/invite/accept' : '/auth/password/reset', { token, password }).catch(() => null);
  if (response === null) return complain('The service does not answer. Try again in a moment.');
  if (!response.ok) {
    const { errors = [] } = await response.json().catch(() => ({}));
    const [{ message, extensions } = {}] = errors;
    const isSpent = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'INVALID_INVITE', 'FORBIDDEN'].includes(extensions?.code);
    return complain(isSpent ? 'This link is no longer valid. Ask for a new one.' : (message ?? `The service answered ${response.status}.`));
  }
  find('form').hidden = true;
  find('done').hidden = false;
}

find('form').addEventListener('submit', save);
if (token === '') complain('This link is incomplete: open it from the mail again.');
ask('/server/info')
  .then(({ data }) => showProject(data.project))
  .catch(() => undefined);
