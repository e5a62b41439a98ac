/** Markup that needs no more escaping. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Part = Html | readonly Html[] | string | null;

/** A template. Values are escaped as text, except for markup. So text from users stays text. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const rendered = parts.map((part) => {
    if (part === null) return '';
    if (part instanceof Html) return part.text;
    return typeof part === 'string' ? escape(part) : part.map(({ text }) => text).join('');
  });
  return new Html(strings.map((string, index) => string + (rendered[index] ?? '')).join(''));
}
