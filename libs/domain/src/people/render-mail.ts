import { withoutWebAddresses } from './without-web-addresses.js';

/** The content of a mail in two forms: plain text and HTML. */
export interface RenderedMail {
  text: string;
  html: string;
}

/**
 * The content of a mail, in this order. Each part is one line, and nothing is wrapped. So a name that a user chose
 * never is alone on a line, where a reader could take it for a code.
 */
export interface MailContent {
  paragraphs: readonly string[];
  /** The action of the mail. Its address is alone on a line. */
  link?: { words: string; url: string };
  /** Codes to type or to read by a script, each alone on a line. */
  codes?: readonly string[];
  /** After link and codes: how long they work, and what to do without a request for them. */
  closing?: readonly string[];
}

/** Creates text and HTML from the same parts, so that both have the same content. */
export function renderMail({ paragraphs, link, codes = [], closing = [] }: MailContent): RenderedMail {
  const text = [
    ...paragraphs.map(printable),
    ...(link ? [`${printable(link.words)}:`, link.url] : []),
    ...codes,
    ...closing.map(printable),
  ];
  const html = [
    ...paragraphs.map(asParagraph),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(printable(link.words))}</a></p>`] : []),
    ...codes.map((code) => `<p><code style="font-size: 125%">${escaped(code)}</code></p>`),
    ...closing.map(asParagraph),
  ];
  return { text: `${text.join('\n\n')}\n`, html: document(html) };
}

/** Removes links, control characters and line ends. A space replaces the characters. */
const printable = (text: string): string => withoutWebAddresses(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '));

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
const asParagraph = (paragraph: string): string => `<p>${escaped(printable(paragraph))}</p>`;

const document = (parts: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="max-width: 36rem; font: 16px/1.5 sans-serif">',
    ...parts,
    '</body></html>',
    '',
  ].join('\n');
