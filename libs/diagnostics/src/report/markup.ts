/** Markup that is already escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Part = Markup | readonly Markup[] | string | number | boolean | null | undefined;

/** A template that escapes its values unless they are Markup. So text of nodes and users stays text. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  const rendered = parts.map((part) => {
    if (part === null || part === undefined) return '';
    if (part instanceof Markup) return part.text;
    return typeof part === 'object' ? part.map(({ text }) => text).join('') : escape(String(part));
  });
  return new Markup(strings.map((string, index) => string + (rendered[index] ?? '')).join(''));
}

/** JSON for a script element. It cannot end the element, whatever the data contains. */
export const embeddedJson = (data: unknown): string =>
  JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
