import { html, type Html } from './html.js';

export interface FieldOptions {
  type?: 'text' | 'email' | 'password';
  value?: string;
  /** As browsers fill it in. */
  autocomplete: string;
  hint?: string;
}

/** A field with its label; the hint is read out with it. */
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

export interface FormOptions {
  method: 'POST' | 'PUT' | 'DELETE';
  /** Route of the API that takes the fields as JSON. */
  action: string;
  /** What the button says. */
  button: string;
  /** Said when it is done. */
  done?: string;
  /** Where to go when it is done. */
  next?: string;
  fields?: readonly Html[];
  /** Sent as they are. */
  hidden?: Record<string, string>;
  /** Shown to whoever is signed in, or is not. Default: to all. */
  shownTo?: 'signed-in' | 'signed-out';
}

/** A form that the script sends to the API; what the API refuses is said above the button. */
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

/** A whole page. */
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
