// Where a login by a provider ends that did not succeed, if nothing else was asked for. The page says the usual reason; these are the others.

import { ask, showProject } from './client.js';

const reasons = {
  SERVICE_UNAVAILABLE: 'The login service cannot be reached at the moment.',
  INVALID_OTP: 'Your account asks for a one-time code as well.',
  REQUESTS_EXCEEDED: 'There were too many attempts. Wait a minute.',
};

const text = reasons[new URLSearchParams(location.search).get('reason')];
if (text !== undefined) document.getElementById('reason').textContent = text;
ask('/server/info')
  .then(({ data }) => showProject(data.project))
  .catch(() => undefined);
