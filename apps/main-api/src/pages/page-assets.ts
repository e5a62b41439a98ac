/** The style of all pages. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 28rem; margin: 0 auto; padding: 2rem 1rem; }
label { display: block; font-weight: 600; }
input, select { box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
small { display: block; opacity: 0.8; }
button { padding: 0.6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid #2f6fde; outline-offset: 2px; }
.answer:empty { display: none; }
.answer { padding: 0.6rem 0.8rem; border-left: 4px solid #b3261e; }
.answer.done { border-color: #1b7f3b; }
form[hidden] { display: none; }
`;

/**
 * Sends the forms of a page to the API as JSON. Shows the answer in an element that screen readers announce. Shows or
 * hides the parts for signed-in users. Pages have no other script.
 */
export const PAGE_SCRIPT = `
const WORKSPACES = {
  claimed: 'Your organization now has the domain of your address.',
  joined: 'You have joined the organization of your domain.',
  join_requested: 'The owner of the organization of your domain was asked to let you in.',
  awaiting_invitation: 'The organization of your domain takes in whom it invites.',
};

const account = await whoAmI();
for (const shown of document.querySelectorAll('[data-shown-to]')) {
  const wanted = shown.dataset.shownTo;
  shown.hidden = (wanted === 'signed-in' && !account) || (wanted === 'signed-out' && Boolean(account));
}
for (const place of document.querySelectorAll('[data-account]')) place.textContent = account?.[place.dataset.account] ?? '';
for (const choice of document.querySelectorAll('[data-options]'))
  for (const { id, name, active } of account?.[choice.dataset.options] ?? []) if (active) choice.add(new Option(name, id));
for (const form of document.querySelectorAll('form[data-action]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
document.querySelector('form:not([hidden]) input:not([type=hidden])')?.focus();
document.documentElement.dataset.ready = 'true';

async function whoAmI() {
  if (!document.querySelector('[data-shown-to=signed-in], [data-account]')) return null;
  const response = await fetch('/account', { headers: { accept: 'application/json' } });
  return response.ok ? response.json() : null;
}

async function send(form) {
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const { repeated, ...body } = Object.fromEntries(new FormData(form));
    if (repeated !== undefined && repeated !== (body.new_password ?? body.password))
      return say(form, 'The two passwords differ.');
    const action = form.dataset.action.replace(/\\{(\\w+)\\}/g, (_, name) => {
      const value = body[name];
      delete body[name];
      return encodeURIComponent(value);
    });
    const response = await fetch(action, {
      method: form.dataset.method,
      headers: { 'content-type': 'application/json', ...(account && { 'x-csrf-token': account.csrf_token }) },
      ...(form.dataset.method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) return say(form, inWords(answer));
    if (answer.redirect_to) return location.assign(answer.redirect_to);
    if (form.dataset.next) return location.assign(form.dataset.next);
    say(form, [form.dataset.done, WORKSPACES[answer.workspace]].filter(Boolean).join(' '), true);
    for (const part of form.querySelectorAll('p')) part.remove();
  } catch {
    say(form, 'The service did not answer. Please try again.');
  } finally {
    button.disabled = false;
  }
}

function inWords({ detail, title, field_issues: issues }) {
  if (issues?.length) return issues.map(({ path, reason }) => path.slice(1).replaceAll('_', ' ') + ' ' + reason).join('; ') + '.';
  return detail ?? title ?? 'That did not work. Please try again.';
}

function say(form, text, isDone = false) {
  const place = form.querySelector('.answer');
  place.classList.toggle('done', isDone);
  place.textContent = text;
  place.focus();
}
`;
