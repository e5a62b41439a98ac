import { html, type Html } from './html.js';

export interface FieldOptions {
  type?: 'text' | 'email' | 'password';
  value?: string;
  /** The value of the `autocomplete` attribute. */
  autocomplete: string;
  hint?: string;
}

/** Returns a field with its label. Screen readers read the hint together with the field. */
export function field(name: string, label: string, options: FieldOptions): Html {
  const { type = 'text', value = '', autocomplete, hint } = options;
  const described = hint ? html` aria-describedby="${name}-hint"` : null;
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required${described}
    />
    ${hint ? html`<small id="${name}-hint">${hint}</small>` : null}
  </p>`;
}

/** Returns a choice of the organizations of the signed-in user. The script fills the choice. */
export const tenantChoice = (): Html =>
  html`<p>
    <label for="tenant_id">Organization</label>
    <select id="tenant_id" name="tenant_id" data-options="tenants" required></select>
  </p>`;

export interface FormOptions {
  method: 'POST' | 'PUT' | 'DELETE';
  /** The route of the API that takes the fields as JSON. A field in braces becomes part of the route. */
  action: string;
  /** The text of the button. */
  button: string;
  /** The text after a success. */
  done?: string;
  /** The page to open after a success. */
  next?: string;
  fields?: readonly Html[];
  /** Fields that are sent unchanged. */
  hidden?: Record<string, string>;
  /** Shows the form only to signed-in users, or only to users who are not signed in. Default: to all. */
  shownTo?: 'signed-in' | 'signed-out';
}

/** Returns a form that the script sends to the API. The refusals of the API are shown above the button. */
export function form(options: FormOptions): Html {
  const { method, action, button, done = '', next = '', fields = [], hidden = {}, shownTo = '' } = options;
  const hiddenFields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form
    data-method="${method}"
    data-action="${action}"
    data-done="${done}"
    data-next="${next}"
    data-shown-to="${shownTo}"
  >
    ${fields} ${hiddenFields}
    <div class="answer" role="alert" tabindex="-1"></div>
    <p><button type="submit">${button}</button></p>
  </form>`;
}

/** Returns a complete page. */
export function page(title: string, ...content: Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Landlord</title>
        <link rel="stylesheet" href="/pages/assets/pages.css" />
        <script type="module" src="/pages/assets/pages.js"></script>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <noscript
            ><p role="alert">This page sends its form by JavaScript. Please allow it, or use the API.</p></noscript
          >
          ${content}
        </main>
      </body>
    </html>`.text;
}
