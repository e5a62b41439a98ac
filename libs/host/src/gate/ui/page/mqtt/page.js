/** The page of a broker with MQTT: the choice of the view. */
import { ListView, whenWatched } from './lists.js';
import { Messages } from './messages.js';
import { openPage, sessionEnded } from '../session.js';

const VIEWS = ['topics', 'retained', 'clients', 'messages'];
const DEFAULT_VIEW = 'topics';

const messages = new Messages(sessionEnded);
const lists = Object.fromEntries(VIEWS.filter((name) => name !== 'messages').map((name) => [name, new ListView(name)]));

whenWatched((topic) => {
  location.hash = 'messages';
  messages.watch(topic);
});
await openPage({ show: showView, leave: () => messages.stop() });

function showView() {
  const asked = location.hash.slice(1);
  const view = VIEWS.includes(asked) ? asked : DEFAULT_VIEW;
  for (const name of VIEWS) document.getElementById(name).hidden = name !== view;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (view === 'messages') messages.start();
  else void lists[view].load();
}
