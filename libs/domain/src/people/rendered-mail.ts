import { withoutWebAddresses } from './without-web-addresses.js';

/** What a mail says, twice: as plain text, and for readers who show more. */
export interface MailText {
  text: string;
  html: string;
}

/**
 * What a mail says, in this order. Each part is one line and nothing is wrapped: a name that somebody chose never stands
 * alone on a line, where it could pass for a code.
 */
export interface RenderedMail {
  paragraphs: readonly string[];
  /** The one thing to do; its address stands alone on a line. */
  link?: { words: string; url: string };
  /** What is typed or scripted, alone on a line each. */
  codes?: readonly string[];
  /** After link and codes: how long they work, and what to do if nobody asked for them. */
  closing?: readonly string[];
}

/** Makes text and HTML of the same parts, so that they always say the same. */
export function rendered({ paragraphs, link, codes = [], closing = [] }: RenderedMail): MailText {
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

/** Without links, control characters and ends of lines: where one of the latter stood, a blank stands. */
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
