/** Sign-in and sign-out. */
import { call, whenSignedOut } from './api.js';
import { notify } from './elements.js';

const byId = (id) => document.getElementById(id);
const form = byId('sign-in-form');
let isSignedIn = false;
let views = { show: () => undefined, leave: () => undefined };

/** `show`: called with a session and at each change of the address. `leave`: called at the end of a session. */
export async function openPage(given) {
  views = given;
  whenSignedOut(() => sessionEnded());
  addEventListener('hashchange', () => {
    if (isSignedIn) views.show();
  });
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
}

/** Returns to the sign-in, if a person is signed in. */
export function sessionEnded() {
  if (isSignedIn) showSignIn('The session has ended. Sign in again.');
}

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
  views.leave();
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
  views.show();
}
