/** Sign-in, sign-out, and the choice of the view. */
import { call, whenSignedOut } from './api.js';
import { notify } from './elements.js';
import { ListView, whenWatched } from './lists.js';
import { Messages } from './messages.js';

const VIEWS = ['topics', 'retained', 'clients', 'messages'];
const DEFAULT_VIEW = 'topics';

const byId = (id) => document.getElementById(id);
const form = byId('sign-in-form');
const messages = new Messages(() => showSignIn('The session has ended. Sign in again.'));
const lists = Object.fromEntries(VIEWS.filter((name) => name !== 'messages').map((name) => [name, new ListView(name)]));
let isSignedIn = false;

whenSignedOut(() => {
  if (isSignedIn) showSignIn('The session has ended. Sign in again.');
});
whenWatched((topic) => {
  location.hash = 'messages';
  messages.watch(topic);
});
addEventListener('hashchange', showView);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn();
});
byId('sign-out').addEventListener('click', async () => {
  await call('DELETE', 'session').catch(() => undefined);
  showSignIn('');
});
byId('insecure').hidden = window.isSecureContext;
await resume();
document.documentElement.dataset.ready = 'true';

async function resume() {
  try {
    showApp(await call('GET', 'session'));
  } catch (error) {
    showSignIn(error.status === 401 ? '' : error.message);
  }
}

async function signIn() {
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const { username, password } = form.elements;
    const session = await call('POST', 'session', { username: username.value, password: password.value });
    form.reset();
    showApp(session);
  } catch (error) {
    notify(form.querySelector('.notice'), error.message, 'bad');
    form.elements.password.select();
  } finally {
    button.disabled = false;
  }
}

function showSignIn(text) {
  isSignedIn = false;
  messages.stop();
  byId('app').hidden = true;
  byId('sign-in').hidden = false;
  notify(form.querySelector('.notice'), text, 'bad');
  form.elements.username.focus();
}

function showApp({ deployment_id: deployment, node_name: node, driver, username }) {
  isSignedIn = true;
  byId('sign-in').hidden = true;
  byId('app').hidden = false;
  byId('title').textContent = `Deployment ${deployment}`;
  byId('subtitle').textContent = [node, `${driver} broker`, `signed in as ${username}`].filter(Boolean).join(' · ');
  document.title = `Deployment ${deployment}: broker`;
  showView();
}

function showView() {
  if (!isSignedIn) return;
  const asked = location.hash.slice(1);
  const view = VIEWS.includes(asked) ? asked : DEFAULT_VIEW;
  for (const name of VIEWS) byId(name).hidden = name !== view;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (view === 'messages') messages.start();
  else void lists[view].load();
}
